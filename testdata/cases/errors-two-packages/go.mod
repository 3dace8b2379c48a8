module example.com/cases/errors-two-packages

go 1.25.0
