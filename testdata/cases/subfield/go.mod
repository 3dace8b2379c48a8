module example.com/cases/subfield

go 1.25.0
