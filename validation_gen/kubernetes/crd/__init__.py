"""Checks CustomResourceDefinitions as the API server does when they are created.

The input is a definition as data; the output are the server's errors, in its words and order. `run` is the entry point.
Nothing here reads a file, talks to a cluster or knows a Go type of a user. Modules follow the server's own files, which
their docstrings name: `definition`, `names`, `versions`, `conversion` and `columns` check the parts around a schema,
`schema` and `structural` the schema, `defaults` and `defaulting` its defaults, `rules` and `budget` its CEL, `values`
and `expressions` validate objects by it. `report` collects the errors, at a `place`.
"""
