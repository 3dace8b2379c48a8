module example.com/cases/opaque-type

go 1.25.0
