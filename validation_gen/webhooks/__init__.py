"""What a cluster asks webhooks, and what they answer: reviews of admission and of conversion, and an ASGI application.

It is public. What comes in are validators (or any other judge), functions of users and conversions; what goes out are
answers in the form of `admission.k8s.io/v1`. Nothing here reads a source of types, or starts a server.

- `reviews`: requests and answers as JSON. It is where to begin reading. `verdicts` is what is said of a request.
- `validating` says whether a request is allowed, `scaling` what is asked of a scale. `gates` says what holds
  meanwhile, as `gatefile` reads it.
- `converting` converts objects between versions, by a `Converter` of `validation_gen.conversions`.
- `mutating` says what is to be changed; `patches` makes patches, `metadata` says what may not change.
- `checks` are functions of users as they are declared; `functions` asks them, `calls` gives each its time, and `reader`
  reads other objects for them.
- `asgi` answers over HTTP, within limits (`durations` reads how long a server waits); `health` is what probes are told.
  `turns` is what is told of each request: `logs` writes a line, `metrics` counts for Prometheus. `application` puts all
  together. They need packages of the extra `serve`. `kopf` puts it all into an operator of kopf.
- `schemes` takes defaults and scales from definitions.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from validation_gen.webhooks.checks import DeclarationError, DeniedError, Warned, mutates, validates
from validation_gen.webhooks.converting import Converting
from validation_gen.webhooks.functions import Functions
from validation_gen.webhooks.gates import Action, GateError, Gates
from validation_gen.webhooks.mutating import Mutating
from validation_gen.webhooks.reader import Reader
from validation_gen.webhooks.reviews import Answer, Endpoint, Request, ReviewError
from validation_gen.webhooks.scaling import Scalable, Scaling
from validation_gen.webhooks.validating import Judge, Validating, Verdict, by_harnesses, by_validators

if TYPE_CHECKING:
    from validation_gen.webhooks.application import app
    from validation_gen.webhooks.asgi import Limits, Webhook

__all__ = [
    "Action",
    "Answer",
    "Converting",
    "DeclarationError",
    "DeniedError",
    "Endpoint",
    "Functions",
    "GateError",
    "Gates",
    "Judge",
    "Limits",
    "Mutating",
    "Reader",
    "Request",
    "ReviewError",
    "Scalable",
    "Scaling",
    "Validating",
    "Verdict",
    "Warned",
    "Webhook",
    "app",
    "by_harnesses",
    "by_validators",
    "mutates",
    "validates",
]

#: What needs an extra that not everybody has, and where it is.
_LATE = {"Limits": "asgi", "Webhook": "asgi", "app": "application"}


def __getattr__(name: str) -> Any:
    if name in _LATE:
        return getattr(importlib.import_module(f"{__name__}.{_LATE[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
