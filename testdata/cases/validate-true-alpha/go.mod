module example.com/cases/validate-true-alpha

go 1.25.0
