module example.com/cases/errors-malformed

go 1.25.0
