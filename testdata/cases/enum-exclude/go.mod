module example.com/cases/enum-exclude

go 1.25.0
