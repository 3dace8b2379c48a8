module example.com/cases/errors-items

go 1.25.0
