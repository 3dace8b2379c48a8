module example.com/lint/vg414-lonely-union

go 1.25.0
