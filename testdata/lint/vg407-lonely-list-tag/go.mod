module example.com/lint/vg407-lonely-list-tag

go 1.25.0
