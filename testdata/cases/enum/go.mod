module example.com/cases/enum

go 1.25.0
