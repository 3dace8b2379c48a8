module example.com/lint/vg404-empty-range

go 1.25.0
