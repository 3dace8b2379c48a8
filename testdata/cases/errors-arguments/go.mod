module example.com/cases/errors-arguments

go 1.25.0
