module example.com/cases/errors-subfield

go 1.25.0
