module example.com/cases/errors-strict

go 1.25.0
