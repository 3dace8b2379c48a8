module example.com/cases/minimum

go 1.25.0
