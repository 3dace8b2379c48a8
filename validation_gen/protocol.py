"""The line protocol: one request for a verdict in, one answer out, as JSON (see docs/protocol.md)."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any

from validation_gen.runtime.registry import Kind, Registry


class _RefusedError(Exception):
    """A request that cannot be answered; the text says why."""


def answer_lines(lines: Iterable[str | bytes], registry: Registry, broken: Set[str] = frozenset()) -> Iterator[str]:
    """The answer to each line, in order. Nothing that a line holds ends the stream; empty lines are passed over.

    Lines that are bytes should be UTF-8, and what is not is answered like other malformed lines. `broken` has the
    import paths of packages that have no validators because of errors in their sources.
    """
    for line in lines:
        if line.strip():
            yield _answer(line, registry, broken)


def _answer(line: str | bytes, registry: Registry, broken: Set[str]) -> str:
    id = None
    try:
        request = _parse(line)
        _written({"id": request.get("id")})
        id = request.get("id")
        kind, obj, old, update, options, subresource = _read(request, registry, broken)
        errors = registry.run(kind, obj, old, update=update, options=options, subresource=subresource)
        return _written({"id": id, "errors": [error.as_dict() for error in errors]})
    except _RefusedError as refusal:
        return _written({"id": id, "error": str(refusal)})
    except RecursionError:
        return _written({"id": id, "error": "nested too deeply"})
    except (Exception, SystemExit) as error:  # a defect of one validator must not keep the others from answering
        return _written({"id": id, "error": f"internal error: {error.__class__.__name__}: {error}"})


def _written(answer: Mapping[str, Any]) -> str:
    """JSON of ASCII characters in one line."""
    return json.dumps(answer, separators=(",", ":"), allow_nan=False, default=repr)


def _parse(line: str | bytes) -> dict[str, Any]:
    try:
        text = line.decode("utf-8-sig") if isinstance(line, bytes) else line
        request = json.loads(text, parse_float=_number, parse_constant=_number)
    except UnicodeDecodeError as error:
        raise _RefusedError(f"not UTF-8: {error.reason} at byte {error.start + 1}") from None
    except ValueError as error:
        raise _RefusedError(f"not JSON: {error}") from None
    except RecursionError:
        raise _RefusedError("nested too deeply") from None
    if not isinstance(request, dict):
        raise _RefusedError("a request is a JSON object")
    return request


def _number(text: str) -> float:
    """A number as JSON has it: `NaN` and `Infinity`, which Python reads and writes, are none, nor is `1e999` to Go."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is not a number")
    return value


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
