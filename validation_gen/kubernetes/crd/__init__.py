"""CustomResourceDefinitions as the API server judges them when they are created.

`run` is the door. Nothing here reads a file, talks to a cluster or knows a Go type of a user.
"""
