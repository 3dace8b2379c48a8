"""Writes the files for validators in a cluster: manifests, a kustomize base, and a Dockerfile.

Begin with `files`, which combines them. `kinds` finds the kinds to register, and the updates that need no request.
`configurations` are the registrations themselves, `settings` has the
settings of the project. Nothing here interprets rules or applies anything to a cluster.
"""
