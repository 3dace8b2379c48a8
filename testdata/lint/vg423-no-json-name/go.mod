module example.com/lint/vg423-no-json-name

go 1.25.0
