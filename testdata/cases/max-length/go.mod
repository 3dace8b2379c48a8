module example.com/cases/max-length

go 1.25.0
