"""The line protocol: one request for a verdict in, one answer out, as JSON (see docs/protocol.md)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any

from validation_gen.runtime.registry import Kind, Registry


class _RefusedError(Exception):
    """A request that cannot be answered; the text says why."""


def answer_lines(lines: Iterable[str], registry: Registry, broken: Set[str] = frozenset()) -> Iterator[str]:
    """The answer to each line, in order. Nothing that a line holds ends the stream; empty lines are passed over.

    `broken` has the import paths of packages that have no validators because of errors in their sources.
    """
    for line in lines:
        if line.strip():
            yield json.dumps(_answer(line, registry, broken), separators=(",", ":"), default=repr)


def _answer(line: str, registry: Registry, broken: Set[str]) -> dict[str, Any]:
    id = None
    try:
        request = _parse(line)
        id = request.get("id")
        kind, obj, old, update, options, subresource = _read(request, registry, broken)
        errors = registry.run(kind, obj, old, update=update, options=options, subresource=subresource)
        return {"id": id, "errors": [error.as_dict() for error in errors]}
    except _RefusedError as refusal:
        return {"id": id, "error": str(refusal)}


def _parse(line: str) -> dict[str, Any]:
    try:
        request = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _RefusedError(f"not JSON: {error}") from None
    if not isinstance(request, dict):
        raise _RefusedError("a request is a JSON object")
    return request


def _read(
    request: Mapping[str, Any], registry: Registry, broken: Set[str]
) -> tuple[Kind, Any, Any, bool, dict[str, bool], str]:
    package = _typed(request, "package", str, "")
    kind = _find(package, _typed(request, "kind", str, ""), registry, broken)
    op = _typed(request, "op", str, "create")
    if op not in ("create", "update"):
        raise _RefusedError(f'op is "create" or "update", not {json.dumps(op)}')
    options = _typed(request, "options", dict, {})
    if not all(isinstance(state, bool) for state in options.values()):
        raise _RefusedError("options maps names to true or false")
    subresources = _typed(request, "subresources", list, [])
    if not all(isinstance(part, str) for part in subresources):
        raise _RefusedError("subresources is a list of path segments")
    if "obj" not in request:
        raise _RefusedError("obj is missing")
    return kind, request["obj"], request.get("oldObj"), op == "update", options, "/" + "/".join(subresources)


def _find(package: str, name: str, registry: Registry, broken: Set[str]) -> Kind:
    if not name:
        raise _RefusedError("kind is missing")
    found = registry.of_type(name, package)
    if len(found) == 1:
        return found[0]
    if found:
        raise _RefusedError(f"kind {name} is in several packages: {', '.join(k.package for k in found)}")
    tail = package.strip("/")
    for path in sorted(broken):
        if tail and (path == tail or path.endswith(f"/{tail}")):
            raise _RefusedError(f"package {path} has errors, so it has no validators")
    raise _RefusedError(f"no kind {name} in package {package or '(none named)'}")


def _typed(request: Mapping[str, Any], name: str, wanted: type, default: Any) -> Any:
    value = request.get(name)
    if value is None:
        return default
    if not isinstance(value, wanted):
        raise _RefusedError(f"{name} has the wrong type")
    return value
