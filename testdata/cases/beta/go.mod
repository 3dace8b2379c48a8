module example.com/cases/beta

go 1.25.0
