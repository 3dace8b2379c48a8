module example.com/cases/shape-embedded

go 1.25.0
