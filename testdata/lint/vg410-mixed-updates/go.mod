module example.com/lint/vg410-mixed-updates

go 1.25.0
