module example.com/cases/directive-validation-gen

go 1.25.0
