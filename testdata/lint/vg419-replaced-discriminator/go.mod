module example.com/lint/vg419-replaced-discriminator

go 1.25.0
