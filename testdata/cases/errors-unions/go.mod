module example.com/cases/errors-unions

go 1.25.0
