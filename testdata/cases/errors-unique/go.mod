module example.com/cases/errors-unique

go 1.25.0
