module example.com/cases/neq

go 1.25.0
