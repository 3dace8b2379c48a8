"""Validators behind HTTPS, as admission webhooks that a cluster asks.

`reviews` is what a review asks and is answered, without a server; `app` is the server's side, as an ASGI application;
`certificates` makes one to try it with, and `running` starts it all.
"""

from __future__ import annotations

from validation_gen.uses.serve.app import Limits, Webhook
from validation_gen.uses.serve.reviews import Judge, ReviewError, answered

__all__ = ["Judge", "Limits", "ReviewError", "Webhook", "answered"]
