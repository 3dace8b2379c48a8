module example.com/cases/errors-scope

go 1.25.0
