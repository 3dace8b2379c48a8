module example.com/cases/each-key

go 1.25.0
