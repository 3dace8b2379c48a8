"""Validators behind HTTPS, as admission webhooks of a cluster.

- `running` starts a webhook and ends it, and has the limits of a connection; `workers` does so in several processes.
- `tls` builds the TLS context, and certificates to try it with.

The application is in `webhooks`.
"""
