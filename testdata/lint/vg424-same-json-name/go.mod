module example.com/lint/vg424-same-json-name

go 1.25.0
