module example.com/cases/shape-packages

go 1.25.0
