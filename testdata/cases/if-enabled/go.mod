module example.com/cases/if-enabled

go 1.25.0
