module example.com/cases/validate-error

go 1.25.0
