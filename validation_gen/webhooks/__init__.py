"""Webhooks for admission and conversion: reviews, their answers, and an ASGI application.

It is public. Inputs are validators (or another judge), functions of users and conversions; outputs are answers in the
form of `admission.k8s.io/v1`. Nothing here reads a source of types, or starts a server.

- `reviews`: requests and answers as JSON. Begin here.
- `validating` decides whether a request is allowed, also one about a scale. `gates` has the current settings, and
  `gatefile` reads them from a file.
- `conversions` converts objects between versions without loss; it needs the standard library and `runtime` alone.
  `converting` answers reviews by it.
- `mutating` changes objects; `patches` makes patches.
- `checks` are the declarations of users' functions; `functions` runs them, `calls` limits their time, and `reader`
  reads other objects for them.
- `asgi` answers over HTTP, and has the probes; `bodies` has the limits. `logs` writes a line for each request, and
  `metrics` counts for Prometheus. `application` combines all of them, with defaults and scales of definitions. They
  need packages of the extra `serve`. `kopf` adds it all to an operator of kopf.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from validation_gen.webhooks.application import app
    from validation_gen.webhooks.asgi import Webhook
    from validation_gen.webhooks.bodies import Limits
    from validation_gen.webhooks.checks import DeclarationError, DeniedError, Warned, mutates, validates
    from validation_gen.webhooks.converting import Converting
    from validation_gen.webhooks.functions import Functions
    from validation_gen.webhooks.gates import Action, GateError, Gates
    from validation_gen.webhooks.mutating import Mutating
    from validation_gen.webhooks.reader import Reader
    from validation_gen.webhooks.reviews import Answer, Endpoint, Request, ReviewError
    from validation_gen.webhooks.validating import (
        Judge,
        Scalable,
        Scaling,
        Validating,
        Verdict,
        by_harnesses,
        by_validators,
    )

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

#: Names by the modules that have them, which are imported when a name is used: some need an optional extra.
_NAMES = {
    "application": "app",
    "asgi": "Webhook",
    "bodies": "Limits",
    "checks": "DeclarationError DeniedError Warned mutates validates",
    "converting": "Converting",
    "functions": "Functions",
    "gates": "Action GateError Gates",
    "mutating": "Mutating",
    "reader": "Reader",
    "reviews": "Answer Endpoint Request ReviewError",
    "validating": "Judge Scalable Scaling Validating Verdict by_harnesses by_validators",
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
