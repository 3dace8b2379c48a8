module example.com/cases/errors-limits-newer

go 1.25.0
