"""Validators behind HTTPS, as admission webhooks that a cluster asks.

- `running` starts a webhook and ends it; `workers` does so in several processes, which `counting` has count together.
- `connections` has the limits of a connection, `tls` what is shown and asked for in TLS.
- `certificates` makes certificates to try it with.

What is answered is in `webhooks`.
"""
