module example.com/crds/int-or-string

go 1.24
