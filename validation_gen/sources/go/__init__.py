"""Go packages as sources: parsed without the `go` command.

`finder` finds packages (`modfiles` knows modules and versions, `constraints` selects files), `package` reads one,
`types`, `comments` and `scope` are its parts. `constants` and `literals` evaluate constants. Nothing here knows a rule
or runs anything.
"""
