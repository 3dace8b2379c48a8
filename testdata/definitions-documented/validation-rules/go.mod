module example.com/crds/validation-rules

go 1.24
