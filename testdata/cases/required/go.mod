module example.com/cases/required

go 1.25.0
