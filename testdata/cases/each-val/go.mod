module example.com/cases/each-val

go 1.25.0
