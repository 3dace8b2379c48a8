module example.com/cases/format-own

go 1.25.0
