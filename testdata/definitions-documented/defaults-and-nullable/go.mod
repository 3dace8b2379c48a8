module example.com/crds/defaults-and-nullable

go 1.24
