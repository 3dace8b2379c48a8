module example.com/cases/shape-recursion

go 1.25.0
