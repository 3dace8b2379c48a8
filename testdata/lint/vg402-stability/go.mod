module example.com/lint/vg402-stability

go 1.25.0
