module example.com/lint/vg421-schema-only-keyword

go 1.25.0
