module example.com/cases/immutable

go 1.25.0
