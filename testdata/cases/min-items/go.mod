module example.com/cases/min-items

go 1.25.0
