module example.com/crds/unknown-fields

go 1.24
