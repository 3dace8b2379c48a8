module example.com/cases/union-discriminator

go 1.25.0
