module example.com/crds/conversion-url

go 1.24
