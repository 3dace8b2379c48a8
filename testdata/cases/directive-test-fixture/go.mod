module example.com/cases/directive-test-fixture

go 1.25.0
