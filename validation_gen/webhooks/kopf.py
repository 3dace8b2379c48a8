"""A webhook in an operator of kopf: handlers for all kinds of a registry, in one line.

    from validation_gen.webhooks.kopf import register

    register(kopf, registry)

The handlers answer as `/validate` and `/mutate` do. kopf serves them and keeps their configuration up to date; it sends
neither causes nor audit annotations. The caller passes the module; it is not imported here.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from validation_gen.runtime.registry import Registry
from validation_gen.types.naming import pluralize
from validation_gen.webhooks.checks import Declared
from validation_gen.webhooks.functions import Functions
from validation_gen.webhooks.gates import Gates
from validation_gen.webhooks.mutating import Defaults, Mutating
from validation_gen.webhooks.patches import identical
from validation_gen.webhooks.reader import Get, Reader
from validation_gen.webhooks.reviews import WRITING, Endpoint, Request
from validation_gen.webhooks.validating import Judge, Validating, by_validators

_Handler = Callable[..., Awaitable[None]]
#: Operations by subresource.
_Operations = dict[str, tuple[str, ...]]


def register(
    kopf: Any,
    registry: Registry,
    *,
    options: Mapping[str, bool] | None = None,
    gates: Gates | None = None,
    functions: Iterable[object] = (),
    defaults: Defaults | None = None,
    reader: Reader | Get | None = None,
    judge: Judge | None = None,
    plurals: Mapping[str, str] | None = None,
    **handler: Any,
) -> None:
    """Registers handlers for the kinds of a registry.

    Args:
        kopf: the module.
        registry: the validators.
        options: the validation options that are on.
        gates: the settings at the time of a request.
        functions: functions of users, under `validates` and `mutates`, or modules with such functions.
        defaults: returns a copy of an object with the defaults of its type.
        reader: reads other objects for functions.
        judge: validates instead of the validators alone, such as `by_harnesses(…)`.
        plurals: unusual plural names of kinds.
        handler: more for each handler of kopf, such as `labels` or `when`.

    Raises:
        DeclarationError: one of the functions declares nothing.
    """
    users = Functions(functions, reader=reader)
    validating = Validating(judge or by_validators(registry, options, gates=gates, defaults=defaults), functions=users)
    mutating = Mutating(defaults, users)
    for kind in registry.kinds:
        group, _, version = kind.api_version.rpartition("/")
        if not kind.api_version:
            continue
        own = [each for each in users.declared if each.kind == kind.name and each.group in ("", group)]
        own = [each for each in own if each.version in ("", version)]
        place = group, version, (plurals or {}).get(kind.name) or pluralize(kind.name)
        judged: _Operations = {path.strip("/"): WRITING for path in kind.subresources or ()}
        for subresource, operations in _merge_operations(judged, own, changes=False).items():
            _add(kopf.on.validate, place, subresource, operations, _handler(kopf, validating), handler)
        filled: _Operations = {"": WRITING} if defaults is not None else {}
        for subresource, operations in _merge_operations(filled, own, changes=True).items():
            _add(kopf.on.mutate, place, subresource, operations, _handler(kopf, mutating), handler)


def _merge_operations(known: _Operations, own: Iterable[Declared], *, changes: bool) -> _Operations:
    """Returns the operations of handlers, by subresource."""
    found = {name: list(operations) for name, operations in known.items()}
    for each in own:
        if each.changes is changes:
            found.setdefault(each.subresource, []).extend(each.operations)
    return {name: tuple(dict.fromkeys(operations)) for name, operations in found.items()}


def _add(
    on: Any,
    place: tuple[str, str, str],
    subresource: str,
    operations: tuple[str, ...],
    handler: _Handler,
    more: Mapping[str, Any],
) -> None:
    # Subresources cannot be created: a server only sends updates of them.
    operations = tuple(each for each in operations if each != "CREATE") if subresource else operations
    if operations:
        id = "-".join([on.__name__, *place[::-1], *([subresource] if subresource else [])]).replace(".", "-")
        on(*place, id=id, operations=list(operations), subresource=subresource or None, **more)(handler)


def _handler(kopf: Any, endpoint: Endpoint[Request]) -> _Handler:
    async def handle(
        *,
        old: Any,
        new: Any,
        operation: str | None,
        subresource: str | None,
        dryrun: bool,
        userinfo: Any,
        warnings: list[str],
        patch: Any,
        resource: Any,
        **_: Any,
    ) -> None:
        request = _request(new, old, operation, subresource, userinfo, resource, dry_run=dryrun)
        response = (await endpoint.answer(request)).review["response"]
        warnings.extend(response.get("warnings", ()))
        if not response["allowed"]:
            raise kopf.AdmissionError(response["status"]["message"], code=response["status"]["code"])
        if "patch" in response:
            if hasattr(patch, "fns"):
                patch.fns.append(lambda found: _apply(found, response["patch"]))
            else:  # an older kopf, which merges
                made = dict(request.object)
                _apply(made, response["patch"])
                patch.update(merged(request.object, made))

    return handle


def _request(
    new: Any, old: Any, operation: str | None, subresource: str | None, user: Any, resource: Any, *, dry_run: bool
) -> Request:
    obj, before = (None if each is None else dict(each) for each in (new, old))
    metadata = (obj if obj is not None else before or {}).get("metadata") or {}
    about = {"group": resource.group, "version": resource.version, "resource": resource.plural}
    return Request(
        "",
        operation or ("CREATE" if old is None else "UPDATE"),
        obj,
        before,
        subresource or "",
        str(metadata.get("name") or ""),
        str(metadata.get("namespace") or ""),
        dict(user or {}),
        dry_run,
        {"resource": about},
    )


def _apply(body: dict[str, Any], patch: str) -> None:
    """Applies a patch to an object in place. kopf then computes its own patch from the changes."""
    import jsonpatch  # noqa: PLC0415 - which comes with kopf

    made = jsonpatch.apply_patch(body, json.loads(base64.b64decode(patch)))
    body.clear()
    body.update(made)


def merged(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Returns the merge patch between two objects (RFC 7386): null removes a member."""
    found: dict[str, Any] = dict.fromkeys(sorted(old.keys() - new.keys()))
    for name, value in new.items():
        before = old.get(name)
        if isinstance(value, dict) and isinstance(before, dict):
            if below := merged(before, value):
                found[name] = below
        elif name not in old or not identical(before, value):
            found[name] = value
    return found
