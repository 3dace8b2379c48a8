module example.com/lint/vg422-misspelt-json-key

go 1.25.0
