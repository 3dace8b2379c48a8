module example.com/cases/shape-ordering

go 1.25.0
