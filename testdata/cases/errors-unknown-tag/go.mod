module example.com/cases/errors-unknown-tag

go 1.25.0
