module example.com/cases/max-properties

go 1.25.0
