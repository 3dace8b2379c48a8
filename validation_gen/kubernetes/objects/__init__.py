"""Requests about custom objects as the API server handles them: decoding, pruning, defaulting, validation and storage.

Inputs are definitions, requests and old objects as data; the output is an `Outcome`: the object that a client would get
back, with each change and its reason, or the errors, in the server's words and order.

    scheme = Scheme()
    scheme.define(definition)                             # a CustomResourceDefinition
    outcome = scheme.admit(new, old=None, field_validation="Strict")
    outcome.ok, outcome.errors, outcome.warnings, outcome.object

Nothing here reads a file or talks to a cluster. Admission plug-ins, webhooks, quota, `generateName` and managed fields
are not modelled.

`kinds` has the kinds of definitions, and decodes JSON with details that Python's decoder loses, `preparing` does the
steps before validation, `metadata` checks the metadata of every object, `judging` validates an object by a schema
alone, and `admission` handles one request. Each of its steps takes the fast path (`fastpath`) if nothing can be wrong,
else the exact one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from validation_gen.kubernetes.crd.definition import Definition, read_definition
from validation_gen.kubernetes.crd.verdict import SERVER
from validation_gen.kubernetes.objects.admission import Normalized, admit
from validation_gen.kubernetes.objects.kinds import Duplicates, Kind, TypeRules, UndefinedError, read_json
from validation_gen.kubernetes.objects.outcome import Change, Outcome, UnsupportedRequestError


@dataclass(slots=True)
class Scheme:
    """Kinds by group and kind, on servers of release 1.`server`."""

    kinds: dict[tuple[str, str], Kind] = field(default_factory=dict)
    server: int = SERVER

    def define(self, definition: Mapping[str, Any] | Definition, rules: Mapping[str, TypeRules] | None = None) -> Kind:
        """Adds the kind of a CustomResourceDefinition, as JSON or decoded, in which `crd.run.check` finds no error.

        `rules` are the additional rules of its types, by version.

        Raises:
            UndefinedError: no version of it is stored.
        """
        decoded = definition if isinstance(definition, Definition) else read_definition(definition)
        kind = Kind.from_definition(decoded, self.server)
        for name, version in kind.versions.items():
            version.type_rules = (rules or {}).get(name)
        self.kinds[kind.group, kind.kind] = kind
        return kind

    def find_kind(self, obj: Mapping[str, Any]) -> Kind | None:
        """Returns the kind of an object, None if it is not defined."""
        version, kind = obj.get("apiVersion"), obj.get("kind")
        if not isinstance(version, str) or not isinstance(kind, str):
            return None
        return self.kinds.get((version.rpartition("/")[0], kind))

    def admit(
        self,
        new: dict[str, Any],
        old: dict[str, Any] | Normalized | None = None,
        *,
        subresource: str = "",
        field_validation: str = "Strict",
        duplicates: Duplicates | None = None,
        url: tuple[str, str] | None = None,
    ) -> Outcome:
        """Returns the API server's answer to a create, or with an old object to an update; see `admission.admit`.

        Raises:
            UndefinedError: the kind, or its version, is not defined.
            UnjudgedError: as `admission.admit`.
            ValueError: there is no such level.
        """
        # A request about the scale sends a `Scale`: the old object has the kind.
        about = new
        if subresource == "scale" and old is not None:
            about = old.object if isinstance(old, Normalized) else old
        kind = self.find_kind(about)
        version = None if kind is None else kind.versions.get(about["apiVersion"].rpartition("/")[2])
        if kind is None or version is None or not version.served:
            raise UndefinedError(f"{about.get('kind')} in {about.get('apiVersion')} is not defined")
        outcome = admit(
            kind,
            version,
            new,
            old,
            subresource=subresource,
            field_validation=field_validation,
            duplicates=duplicates,
            url=url,
        )
        if version.deprecated and (warning := kind.deprecation(version)):
            outcome.warnings.insert(0, warning)
        return outcome


__all__ = [
    "Change",
    "Duplicates",
    "Kind",
    "Outcome",
    "Scheme",
    "TypeRules",
    "UndefinedError",
    "UnsupportedRequestError",
    "read_json",
]
