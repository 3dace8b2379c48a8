module example.com/crds/embedded-resource

go 1.24
