module example.com/cases/shape-typedefs

go 1.25.0
