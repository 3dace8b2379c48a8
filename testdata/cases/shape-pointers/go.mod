module example.com/cases/shape-pointers

go 1.25.0
