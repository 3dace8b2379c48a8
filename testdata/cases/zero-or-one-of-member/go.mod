module example.com/cases/zero-or-one-of-member

go 1.25.0
