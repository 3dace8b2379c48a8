module example.com/lint/vg417-duplicate-tag

go 1.25.0
