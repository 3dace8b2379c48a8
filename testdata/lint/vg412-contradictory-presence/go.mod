module example.com/lint/vg412-contradictory-presence

go 1.25.0
