module example.com/cases/errors-numbers

go 1.25.0
