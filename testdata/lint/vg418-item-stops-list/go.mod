module example.com/lint/vg418-item-stops-list

go 1.25.0
