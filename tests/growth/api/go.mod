module example.com/growth

go 1.25.0
