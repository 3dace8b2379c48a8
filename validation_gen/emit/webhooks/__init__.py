"""From a program to what a cluster needs to ask its validators: manifests, a kustomize base, and a Dockerfile.

Begin with `files`, which puts all of it together. `kinds` says what of a program is registered, `unchanged` which
updates need not be asked about and why that is safe. `configurations` are the registrations themselves, `workload` is
what runs the server, `certificates` where its certificate is from, and `conversion` what definitions say of it.

Nothing here knows what a rule means, and nothing is put into a cluster.
"""
