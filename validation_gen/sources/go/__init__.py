"""Go packages as sources: parsed without the `go` command.

`finder` says where a package lies (`modfiles` knows modules and versions, `constraints` which files count), `package`
reads one, `syntax`, `types`, `comments` and `scope` are its parts. `constants`, `arithmetic`, `literals` and `lengths`
work out values of constants, `cycles` finds types that contain themselves. Nothing here knows a rule or runs anything.
"""
