module example.com/cases/errors-modes

go 1.25.0
