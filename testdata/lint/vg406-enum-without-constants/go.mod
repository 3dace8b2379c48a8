module example.com/lint/vg406-enum-without-constants

go 1.25.0
