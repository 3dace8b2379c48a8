module example.com/cases/errors-broken-go

go 1.25.0
