module example.com/cases/if-disabled

go 1.25.0
