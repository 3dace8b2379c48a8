module example.com/crds/printer-columns

go 1.24
