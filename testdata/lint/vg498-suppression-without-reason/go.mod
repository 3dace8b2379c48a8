module example.com/lint/vg498-suppression-without-reason

go 1.25.0
