module example.com/lint/vg420-covered-limit

go 1.25.0
