module example.com/lint/vg499-idle-suppression

go 1.25.0
