"""Go packages as sources: parsed without the `go` command.

`finder` finds packages (`modfiles` knows modules and versions, `constraints` selects files), `package` reads one,
`syntax`, `types`, `comments` and `scope` are its parts. `constants`, `arithmetic`, `literals` and `lengths` evaluate
constants, `cycles` finds types that contain themselves. Nothing here knows a rule or runs anything.
"""
