module example.com/cases/max-items

go 1.25.0
