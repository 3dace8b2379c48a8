"""Creation of a whole custom resource: defaulting, pruning and validation.

It does not run rules of `x-kubernetes-validations`, and sees no other objects of the cluster.
"""

from __future__ import annotations

from typing import Any

from validation_gen.kubernetes.crd.defaulting import defaulted
from validation_gen.kubernetes.crd.embedded import CoercionError, coerced, embedded_errors
from validation_gen.kubernetes.crd.listtypes import list_errors
from validation_gen.kubernetes.crd.objectmeta import metadata_errors
from validation_gen.kubernetes.crd.place import as_decoded
from validation_gen.kubernetes.crd.pruning import pruned
from validation_gen.kubernetes.crd.schema import JsonObject, Schema
from validation_gen.kubernetes.crd.values import judge
from validation_gen.kubernetes.formats import dnsnames
from validation_gen.runtime.errors import FieldError


def prepared(obj: JsonObject, schema: Schema) -> Any:
    """Returns the object that the server validates and stores, without the fields that it sets itself.

    Raises:
        CoercionError: its metadata, or that of an object within it, cannot be decoded.
    """
    filled = defaulted(as_decoded(dict(obj)), schema)
    return as_decoded(coerced(pruned(filled, schema, resource=True), schema, resource=True))


def resource_errors(obj: JsonObject, schema: Schema, *, namespaced: bool = True) -> list[FieldError]:
    """Returns the errors of an object. A missing namespace defaults to that of the request."""
    try:
        ready = prepared(obj, schema)
    except CoercionError as problem:
        return [problem.error]
    return errors_of_prepared(ready, schema, namespaced=namespaced)


def errors_of_prepared(ready: Any, schema: Schema, *, namespaced: bool = True) -> list[FieldError]:
    """Returns the errors of an object that `prepared` returned."""
    metadata = {**(ready.get("metadata") or {})}
    if namespaced:
        metadata["namespace"] = metadata.get("namespace") or "default"
    errors = list(metadata_errors(metadata, _name_messages, namespaced=namespaced))
    for error in errors:
        error.segments.append(".metadata")
    errors += [violation.error() for violation in judge(schema, ready)]
    errors += embedded_errors(ready, schema)
    errors += list_errors(ready, schema)
    return errors


def _name_messages(name: str, prefix: bool) -> list[str]:
    masked = f"{name[:-2]}a" if prefix and len(name) > 1 and name.endswith("-") else name
    return list(dnsnames.subdomain(masked))
