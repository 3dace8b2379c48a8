"""Checks CustomResourceDefinitions as the API server does when they are created.

The input is a definition as data; the output are the server's errors, in its words and order. `run` is the entry point.
Nothing here reads a file, talks to a cluster or knows a Go type of a user. Modules follow the server's own files, which
their docstrings name: `definition`, `names`, `conversion` and `columns` check the parts around a schema, `schema` and
`structural` the schema, `defaults` its defaults, `rules` its CEL; `pruning` prepares objects, `values` and
`expressions` validate them. `report` collects the errors, at a `schema_path`.
"""
