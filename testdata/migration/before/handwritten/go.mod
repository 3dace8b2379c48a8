module example.com/tables/handwritten

go 1.21
