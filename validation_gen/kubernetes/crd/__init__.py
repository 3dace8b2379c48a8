"""Judges CustomResourceDefinitions as the API server does when they are created.

What comes in is a definition as data; what goes out are the server's errors, in its words and order. `run` is the door.
Nothing here reads a file, talks to a cluster or knows a Go type of a user. Modules follow the server's own files, which
their docstrings name: `definition`, `names`, `versions`, `conversion` and `columns` judge what stands around a schema,
`schema` and `structural` the schema, `defaults` and `defaulting` its defaults, `rules` and `budget` its CEL, `values`
and `expressions` objects by it. `report` puts the errors together.
"""
