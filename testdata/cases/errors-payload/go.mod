module example.com/cases/errors-payload

go 1.25.0
