module example.com/lint/vg403-presence

go 1.25.0
