module example.com/cases/subfield-guard

go 1.25.0
