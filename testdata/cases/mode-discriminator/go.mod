module example.com/cases/mode-discriminator

go 1.25.0
