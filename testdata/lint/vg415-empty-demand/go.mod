module example.com/lint/vg415-empty-demand

go 1.25.0
