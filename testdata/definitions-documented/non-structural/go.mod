module example.com/crds/non-structural

go 1.24
