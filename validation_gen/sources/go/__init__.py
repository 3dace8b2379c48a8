"""Go packages as sources: parsed without the `go` command."""
