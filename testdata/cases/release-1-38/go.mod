module example.com/cases/release-1-38

go 1.25.0
