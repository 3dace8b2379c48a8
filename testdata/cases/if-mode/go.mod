module example.com/cases/if-mode

go 1.25.0
