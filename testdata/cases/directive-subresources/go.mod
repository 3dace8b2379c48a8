module example.com/cases/directive-subresources

go 1.25.0
