module example.com/cases/shape-arrays

go 1.25.0
