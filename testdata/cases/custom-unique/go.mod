module example.com/cases/custom-unique

go 1.25.0
