module example.com/crds/subresources

go 1.24
