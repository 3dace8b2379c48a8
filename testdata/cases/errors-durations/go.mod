module example.com/cases/errors-durations

go 1.25.0
