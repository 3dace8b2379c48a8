"""Requests about custom objects as the API server handles them: decoding, pruning, defaulting, validation and storage.

Inputs are definitions, requests and old objects as data; the output is an `Outcome`: the object that a client would get
back, with each change and its reason, or the errors, in the server's words and order.

    scheme = Scheme()
    scheme.define(definition)                             # a CustomResourceDefinition
    outcome = scheme.admit(new, old=None, field_validation="Strict")
    outcome.ok, outcome.errors, outcome.warnings, outcome.object

Nothing here reads a file or talks to a cluster. Admission plug-ins, webhooks, quota, `generateName` and managed fields
are not modelled.

`reading` decodes JSON with details that Python's decoder loses, `preparing` does the steps before validation,
`metadata` checks the metadata of every object, `judging` validates an object by a schema alone, `kinds` has the kinds
of definitions, `scheme` holds all definitions, and `admission` handles one request. Each of its steps takes the fast
path (`fastpath`) if nothing can be wrong, else the exact one.
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
