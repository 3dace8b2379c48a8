module example.com/lint/vg425-list-without-topology

go 1.25.0
