module example.com/crds/versions

go 1.24
