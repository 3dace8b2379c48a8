module example.com/cases/list-map-key

go 1.25.0
