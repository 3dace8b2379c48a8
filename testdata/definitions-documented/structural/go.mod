module example.com/crds/structural

go 1.24
