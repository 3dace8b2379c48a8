module example.com/cases/min-properties

go 1.25.0
