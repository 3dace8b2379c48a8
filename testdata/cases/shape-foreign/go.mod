module example.com/cases/shape-foreign

go 1.25.0
