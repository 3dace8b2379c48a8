module example.com/lint/vg411-required-bool

go 1.25.0
