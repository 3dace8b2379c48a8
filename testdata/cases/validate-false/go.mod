module example.com/cases/validate-false

go 1.25.0
