"""Kopf's admission handlers: they take the parts of a request that they name, as keywords.

Outside of an operator there are no indices, no settings and no user; all parts of the object are available.
"""

from __future__ import annotations

import inspect
import logging
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from types import SimpleNamespace
from typing import Any

from validation_gen.runtime.operation import Operation

_OF_OBJECT: dict[str, Callable[[Any], Any]] = {
    "body": lambda body: body,
    "spec": lambda body: body.spec,
    "status": lambda body: body.status,
    "meta": lambda body: body.metadata,
    "name": lambda body: body.metadata.get("name"),
    "namespace": lambda body: body.metadata.get("namespace"),
    "uid": lambda body: body.metadata.get("uid"),
    "labels": lambda body: body.metadata.labels,
    "annotations": lambda body: body.metadata.annotations,
}
_OF_REQUEST = frozenset(
    "diff dryrun headers logger memo new old operation param patch retry sslpeer subresource userinfo warnings "
    "webhook".split()
)


def is_handler(parameters: Collection[inspect.Parameter]) -> bool:
    """Returns whether a function can be a handler of kopf: it takes any keyword, and names only kopf's own."""
    names = {p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) and p.default is p.empty}
    takes_all = any(p.kind is p.VAR_KEYWORD for p in parameters)
    return takes_all and "kopf" in sys.modules and names <= _OF_OBJECT.keys() | _OF_REQUEST


def caller(function: Callable[..., Any], names: Collection[str]) -> Callable[[Any, Any, Operation, str], Any]:
    """Returns a function that calls a handler with the keywords that it names."""

    def call(obj: Any, old: Any, op: Operation, subresource: str) -> Any:
        return function(**dict(_arguments(names, obj, old, op, subresource)))

    return call


def _arguments(
    names: Collection[str], obj: Any, old: Any, op: Operation, subresource: str
) -> Iterator[tuple[str, object]]:
    make = getattr(sys.modules["kopf"], "Body")  # noqa: B009 - a name of a module that is not imported here
    body, before = make(obj or {}), None if old is None else make(old)
    request = {
        "old": before,
        "new": body,
        "operation": "UPDATE" if op.update else "CREATE",
        "subresource": subresource.strip("/") or None,
        "dryrun": True,
        "webhook": None,
        "param": None,
        "retry": 0,
    }
    made: dict[str, Callable[[], object]] = {
        "diff": lambda: tuple(_differences(old, obj, ())),
        "warnings": list,
        "userinfo": dict,
        "headers": dict,
        "sslpeer": dict,
        "patch": dict,
        "memo": SimpleNamespace,
        "logger": lambda: logging.getLogger("kopf.objects"),
    }
    for name in names:
        if name in _OF_OBJECT:
            yield name, _OF_OBJECT[name](body)
        elif name in made:
            yield name, made[name]()
        elif name in request:
            yield name, request[name]


def _differences(old: Any, new: Any, path: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...], Any, Any]]:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for name in sorted(old.keys() | new.keys()):
            yield from _differences(old.get(name), new.get(name), (*path, name))
    elif old != new:
        yield "add" if old is None else "remove" if new is None else "change", path, old, new
