module example.com/cases/list-type

go 1.25.0
