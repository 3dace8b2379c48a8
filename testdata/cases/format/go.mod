module example.com/cases/format

go 1.25.0
