module example.com/cases/errors-lists

go 1.25.0
