module example.com/cases/unique

go 1.25.0
