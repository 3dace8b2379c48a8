"""Validators behind HTTPS, as admission webhooks that a cluster asks.

`running` starts a webhook and ends it. `certificates` makes certificates, to try it with and for a cluster,
`certificatefiles` reads and writes them, and `bundles` puts their authority into manifests. What is answered is in
`webhooks`.
"""
