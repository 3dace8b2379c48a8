module example.com/cases/item

go 1.25.0
