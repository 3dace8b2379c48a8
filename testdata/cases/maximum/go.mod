module example.com/cases/maximum

go 1.25.0
