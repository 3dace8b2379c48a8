module example.com/cases/shape-cohorts

go 1.25.0
