module example.com/cases/optional

go 1.25.0
