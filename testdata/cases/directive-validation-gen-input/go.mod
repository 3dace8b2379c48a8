module example.com/cases/directive-validation-gen-input

go 1.25.0
