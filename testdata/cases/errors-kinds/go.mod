module example.com/cases/errors-kinds

go 1.25.0
