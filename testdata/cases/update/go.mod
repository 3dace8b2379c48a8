module example.com/cases/update

go 1.25.0
