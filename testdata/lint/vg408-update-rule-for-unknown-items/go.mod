module example.com/lint/vg408-update-rule-for-unknown-items

go 1.25.0
