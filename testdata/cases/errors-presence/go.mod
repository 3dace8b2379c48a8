module example.com/cases/errors-presence

go 1.25.0
