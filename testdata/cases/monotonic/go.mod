module example.com/cases/monotonic

go 1.25.0
