module example.com/lint/vg401-level-prefix

go 1.25.0
