module example.com/lint/nolint

go 1.25.0
