module example.com/cases/errors-levels

go 1.25.0
