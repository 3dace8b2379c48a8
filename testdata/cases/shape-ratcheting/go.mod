module example.com/cases/shape-ratcheting

go 1.25.0
