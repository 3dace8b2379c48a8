module example.com/cases/errors-updates

go 1.25.0
