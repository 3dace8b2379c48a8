module example.com/cases/validate-true-beta

go 1.25.0
