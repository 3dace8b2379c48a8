module example.com/cases/alpha

go 1.25.0
