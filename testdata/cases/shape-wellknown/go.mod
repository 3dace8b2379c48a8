module example.com/cases/shape-wellknown

go 1.25.0
