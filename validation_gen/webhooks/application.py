"""The whole webhook in one call, for programs with a server of their own.

Facts of definitions that it needs beside validators are defaults, and the kinds with a scale.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from validation_gen.kubernetes.crd.pruning import fill_absent
from validation_gen.kubernetes.crd.schema import Schema, has_default
from validation_gen.kubernetes.objects import Scheme
from validation_gen.mismatch.harness import Harness
from validation_gen.runtime.registry import Registry
from validation_gen.webhooks.asgi import Webhook
from validation_gen.webhooks.bodies import Limits
from validation_gen.webhooks.conversions import Converter
from validation_gen.webhooks.converting import Converting
from validation_gen.webhooks.functions import Functions
from validation_gen.webhooks.gates import Gates
from validation_gen.webhooks.mutating import Defaults, Mutating
from validation_gen.webhooks.reader import Get, Reader
from validation_gen.webhooks.reviews import Endpoint
from validation_gen.webhooks.validating import Scalable, Scaling, Validating, by_harnesses, by_validators


def endpoints(
    registry: Registry,
    *,
    options: Mapping[str, bool] | None = None,
    gates: Gates | str | os.PathLike[str] | None = None,
    functions: Iterable[object] = (),
    defaults: Defaults | None = None,
    converter: Converter | None = None,
    reader: Reader | Get | None = None,
    harnesses: Mapping[str, Harness] | None = None,
    scalable: Iterable[Scalable] = (),
    at_once: bool | None = None,
) -> dict[str, Endpoint[Any]]:
    """Returns the endpoints by path. See `app` for the arguments, and `Validating` for `at_once`.

    Raises:
        GateError: the file with gates is invalid.
        DeclarationError: one of the functions declares nothing.
    """
    if gates is not None and not isinstance(gates, Gates):
        gates = Gates(gates, options=options, level=registry.level)
    scalable = tuple(scalable)
    users = Functions(functions, reader=reader, plurals={(each.group, each.plural): each.kind for each in scalable})
    judge = by_validators(registry, options, gates=gates, defaults=defaults)
    if harnesses:
        judge, at_once = by_harnesses(registry, harnesses, judge), False
    scaling = Scaling(scalable, users.reader)
    found: dict[str, Endpoint[Any]] = {
        "/validate": Validating(judge, at_once=at_once, functions=users, scaling=scaling)
    }
    if defaults is not None or any(each.changes for each in users.declared):
        found["/mutate"] = Mutating(defaults, users)
    if converter is not None:
        found["/convert"] = Converting(converter)
    return found


def app(
    registry: Registry,
    *,
    options: Mapping[str, bool] | None = None,
    gates: Gates | str | os.PathLike[str] | None = None,
    functions: Iterable[object] = (),
    defaults: Defaults | None = None,
    converter: Converter | None = None,
    limits: Limits | None = None,
    reader: Reader | Get | None = None,
    harnesses: Mapping[str, Harness] | None = None,
    scalable: Iterable[Scalable] = (),
) -> Any:
    """Returns the ASGI application of a webhook: `/validate`, and `/mutate` if anything changes objects.

    Args:
        registry: the validators.
        options: the validation options that are on.
        gates: the settings at the time of a request, or their file.
        functions: functions of users, under `validates` and `mutates`, or modules with such functions.
        defaults: returns a copy of an object with the defaults of its type.
        converter: converts objects between versions.
        limits: limits of a request.
        reader: reads other objects for functions: `async def get(api_version, kind, namespace, name)`.
        harnesses: handwritten and generated validators side by side, by kind.
        scalable: the kinds that have a scale.

    Raises:
        GateError: the file with gates is invalid.
        DeclarationError: one of the functions declares nothing.
    """
    found = endpoints(
        registry,
        options=options,
        gates=gates,
        functions=functions,
        defaults=defaults,
        converter=converter,
        reader=reader,
        harnesses=harnesses,
        scalable=scalable,
    )
    return Webhook(found, limits).app


def make_defaults(scheme: Scheme) -> Defaults | None:
    """Returns a function that fills in the defaults of definitions; None if none has defaults."""
    schemas: dict[tuple[str, str], Schema] = {
        (version.api_version, kind.kind): version.schema
        for kind in scheme.kinds.values()
        for version in kind.versions.values()
        if version.served and has_default(version.schema)
    }

    def fill(obj: Any) -> Any:
        schema = schemas.get((str(obj.get("apiVersion")), str(obj.get("kind"))))
        return obj if schema is None else fill_absent(obj, schema)

    return fill if schemas else None


#: Former name of `make_defaults`, kept for one release.
defaults_of = make_defaults


def find_scalable(scheme: Scheme) -> list[Scalable]:
    """Returns the kinds that have a scale, in each of their versions."""
    return [
        Scalable(kind.group, kind.resource.partition(".")[0], version.api_version, kind.kind, version.scale)
        for kind in scheme.kinds.values()
        for version in kind.versions.values()
        if version.served and version.scale is not None
    ]
