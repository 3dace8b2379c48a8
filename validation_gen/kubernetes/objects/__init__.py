"""Custom objects as the API server takes them: decoded, pruned, defaulted, judged, and as it would store them.

What comes in are definitions, requests and old objects as data; what goes out is an `Outcome`: the object as a client
would get it back, with each change and its reason, or the errors, in the server's words and order of causes.

    scheme = Scheme()
    scheme.define(definition)                             # a CustomResourceDefinition
    outcome = scheme.admit(new, old=None, field_validation="Strict")
    outcome.ok, outcome.errors, outcome.warnings, outcome.object

Nothing here reads a file or talks to a cluster. Admission plug-ins, webhooks, quota, `generateName` and managed fields
are no part of it.

`reading` decodes JSON with what Python's decoder loses, `decoding` is what happens before a request is looked at,
`metadata` what is asked of every object, `preparing` what a client may not say, `judging` is what a schema alone says
of an object, `kinds` has what a definition declares, `scheme` holds all that is defined, and `admission` goes through
one request: the quick way (`quick`) if nothing is wrong, else the exact one.
"""

from __future__ import annotations

from validation_gen.kubernetes.objects.kinds import Kind, TypeRules, UndefinedError
from validation_gen.kubernetes.objects.outcome import Change, Outcome, UnjudgedError
from validation_gen.kubernetes.objects.reading import Duplicates, read_json
from validation_gen.kubernetes.objects.scheme import Scheme

__all__ = [
    "Change",
    "Duplicates",
    "Kind",
    "Outcome",
    "Scheme",
    "TypeRules",
    "UndefinedError",
    "UnjudgedError",
    "read_json",
]
