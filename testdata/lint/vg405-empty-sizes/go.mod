module example.com/lint/vg405-empty-sizes

go 1.25.0
