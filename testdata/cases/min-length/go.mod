module example.com/cases/min-length

go 1.25.0
