"""Writes the files for validators in a cluster: manifests, a kustomize base, and a Dockerfile.

Begin with `files`, which combines them. `kinds` registers kinds, and finds the updates that need no request; `settings`
has the settings of the project. Nothing here interprets rules or applies anything to a cluster.
"""
