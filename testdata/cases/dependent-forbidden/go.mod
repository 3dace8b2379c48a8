module example.com/cases/dependent-forbidden

go 1.25.0
