module example.com/cases/union-member

go 1.25.0
