module example.com/cases/docs-1.35

go 1.25.0
