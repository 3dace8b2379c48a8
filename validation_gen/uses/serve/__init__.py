"""Validators behind HTTPS, as admission webhooks of a cluster.

- `running` starts a webhook and ends it; `workers` does so in several processes, whose metrics `counting` combines.
- `connections` has the limits of a connection, `tls` builds the TLS context.
- `certificates` makes certificates to try it with.

The application is in `webhooks`.
"""
