module example.com/lint/vg416-unguarded-format

go 1.25.0
