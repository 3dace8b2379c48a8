module example.com/cases/errors-dependents

go 1.25.0
