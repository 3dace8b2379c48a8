module example.com/cases/validate-true

go 1.25.0
