module example.com/cases/max-bytes

go 1.25.0
