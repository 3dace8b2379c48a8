"""What a cluster asks webhooks, and what they answer: reviews of admission and of conversion, and an ASGI application.

It is public. What comes in are validators (or any other judge), functions of users and conversions; what goes out are
answers in the form of `admission.k8s.io/v1`. Nothing here reads a source of types, or starts a server.

- `reviews`: requests and answers as JSON. It is where to begin reading.
- `validating` says whether a request is allowed.
- `asgi` answers over HTTP, within limits (`durations` reads how long a server waits); `health` is what probes are told.
- `turns` is what is told of each request: `logs` writes a line, `metrics` counts for Prometheus.

`asgi` and `metrics` need packages of the extra `serve`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from validation_gen.webhooks.reviews import Answer, Endpoint, Request, ReviewError
from validation_gen.webhooks.validating import Judge, Validating, Verdict, by_validators

if TYPE_CHECKING:
    from validation_gen.webhooks.asgi import Limits, Webhook

__all__ = [
    "Answer",
    "Endpoint",
    "Judge",
    "Limits",
    "Request",
    "ReviewError",
    "Validating",
    "Verdict",
    "Webhook",
    "by_validators",
]


def __getattr__(name: str) -> Any:
    if name in ("Limits", "Webhook"):
        from validation_gen.webhooks import asgi  # noqa: PLC0415 - what an extra brings, and not everybody needs

        return getattr(asgi, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
