module example.com/cases/wrong-types

go 1.25.0
