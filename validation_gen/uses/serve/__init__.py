"""Validators behind HTTPS, as admission webhooks that a cluster asks.

`running` starts a webhook and ends it, `certificates` makes one to try it with. What is answered is in `webhooks`.
"""
