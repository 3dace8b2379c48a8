module example.com/cases/shape-embedded-unknown

go 1.25.0
