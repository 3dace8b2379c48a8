module example.com/cases/forbidden

go 1.25.0
