module example.com/lint/vg413-conditional-guard

go 1.25.0
