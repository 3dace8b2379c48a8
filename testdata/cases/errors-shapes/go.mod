module example.com/cases/errors-shapes

go 1.25.0
