module example.com/cases/custom-validation

go 1.25.0
