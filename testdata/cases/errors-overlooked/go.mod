module example.com/cases/errors-overlooked

go 1.24
