module example.com/cases/errors-custom

go 1.25.0
