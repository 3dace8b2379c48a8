module example.com/cases/dependent-required

go 1.25.0
