module example.com/cases/errors-directives

go 1.25.0
