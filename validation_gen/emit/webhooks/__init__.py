"""Writes the files for validators in a cluster: manifests, a kustomize base, and a Dockerfile.

Begin with `files`, which combines them. `kinds` finds the kinds to register, `unchanged` the updates that need no
request and why that is safe. `configurations` are the registrations themselves, `workload` runs the server,
`certificates` supplies its certificate, and `conversion` patches definitions.

Nothing here interprets rules, and nothing is applied to a cluster.
"""
