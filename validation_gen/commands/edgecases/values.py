"""Single values at the limits of types and of the rules of a place, and a check whether a value obeys them.

The checks are the runtime's own functions, so a rule has only one implementation. Rules about more than one value
(unions, updates, duplicates) and handwritten ones are skipped.
"""

from __future__ import annotations

import base64
import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from validation_gen.commands.edgecases import texts
from validation_gen.commands.edgecases.value_specs import Conditions, ValueSpec
from validation_gen.ir import Aspect, ListOf, Predicate, Presence, Scalar, StructRef, Wire, predicates
from validation_gen.runtime import checks
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.wire import unpacked
from validation_gen.sources.typesystem import INTEGER_RANGES

_USUAL = (1, 0, 2, -1, 5, 10, 1000, 63, 64, 80, 100, 101, 253, 254, 255, 256, 1024, 10000, 65535, 65536)


def limits(go: str) -> tuple[int, int]:
    """Returns the least and the greatest value of a Go type. Larger integers would lose digits as a float."""
    return INTEGER_RANGES.get(go, (-(2**53), 2**53))


def numbers_near(go: str, bounds: Iterable[int]) -> list[int | float]:
    """Returns numbers of a type near some bounds, and typical limits of handwritten checks; the usual ones first."""
    low, high = limits(go)
    found: dict[int | float, None] = dict.fromkeys(_USUAL[:3])
    for bound in bounds:
        found |= dict.fromkeys(_near(bound))
    found |= dict.fromkeys((*_USUAL, low, low + 1, high - 1, high))
    numbers: list[int | float] = [n for n in found if low <= n <= high]
    return [*numbers, 0.5, -0.5] if go.startswith("float") else numbers


def _near(bound: int) -> Iterator[int]:
    yield from (bound, bound - 1, bound + 1, bound - 2, bound + 2, bound * 2, bound // 2, -bound)


CUSTOM_JSON: dict[str, tuple[Any, ...]] = {
    "any": ({"a": 1}, 5, "x", [1], True),
    "bytes": ("YQ==", "", "AAAA"),
    "duration": ("1s", "0s", "-1s", "1ns", "5m0s", "24h", "1.5h", "0"),
    "exactquantity": ("1", "0", 1, 0, "-1", "500m", "1m", "1n", "0.5", "1Gi", "1e3", "1000E", "1e21", "100E"),
    "gotime": ("2024-05-06T07:08:09Z", "0001-01-01T00:00:00Z", "2024-05-06T09:08:09+02:00", "9999-12-31T23:59:59Z"),
    "intorstring": (1, 0, -1, "1", "", "0%", "1%", "50%", "100%", "101%", "-1%", "http", "HTTP", "a%", 65535, 65536),
    "microtime": ("2024-05-06T07:08:09.000001Z", "0001-01-01T00:00:00.000000Z", "2024-05-06T09:08:09.000001+02:00"),
    "quantity": ("1", "0", 1, 0, "-1", "500m", "1m", "1n", "0.5", "1Gi", "1G", "1e3", "1000", "9223372036854775807"),
    "raw": ({"a": 1}, {}, {"apiVersion": "v1", "kind": "Thing"}),
    "time": ("2024-05-06T07:08:09Z", "0001-01-01T00:00:00Z", "2024-05-06T09:08:09+02:00", "9999-12-31T23:59:59Z"),
}


def pack_bytes(count: int) -> str:
    """Returns so many bytes in their JSON form."""
    return base64.b64encode(b"a" * count).decode()


_MOST = 400  # maximum number of candidate values of a place
_LONG = 300  # texts of this length are drawn less often


def find_options(conditions: Conditions) -> dict[str, bool]:
    """Returns the validation options among conditions."""
    return {n.removeprefix("option "): bool(s) for n, s in conditions.items() if n.startswith("option ")}


def _fits(predicate: Predicate, value: Any, conditions: Conditions) -> bool:
    check = getattr(checks, predicate.name)
    request = (Operation(find_options(conditions)),) if predicate.record.request else ()
    return not check(value, *predicate.operands, *request)


def may_be_absent(spec: ValueSpec, conditions: Conditions) -> bool:
    """Returns whether rules of the place accept an absent value. Rules inside a struct are not checked."""
    return not spec.facts or fits(spec, None, conditions)


def may_be_demanded(spec: ValueSpec) -> bool:
    """Returns whether the smallest object can need a value here, under some conditions."""
    if isinstance(spec.shape, StructRef) or spec.names:
        return True
    return any(predicate.record.request for predicate in spec.tests()) or not may_be_absent(spec, {})


def is_forbidden(spec: ValueSpec, conditions: Conditions) -> bool:
    """Returns whether a value is forbidden."""
    return bool(spec.facts) and any(
        predicate.record.presence is Presence.FORBIDDEN for predicate in spec.tests(conditions)
    )


def fits(spec: ValueSpec, value: Any, conditions: Conditions) -> bool:
    """Returns whether a value obeys the rules of its place about single values; `None` is an absent one."""
    return not misses(spec, value, conditions)


def misses(spec: ValueSpec, value: Any, conditions: Conditions) -> list[Predicate]:
    """Returns the rules of its place that a value breaks."""
    predicates_here = list(spec.grouped(conditions))
    if not predicates_here:
        return []
    seen = _as_go(spec, value)
    unset = (
        (group, getattr(checks, predicate.name))
        for group, predicate in predicates_here
        if predicate.record.presence is Presence.UNSET
    )
    left_alone = {group for group, check in unset if check(seen)}
    return [
        predicate
        for group, predicate in predicates_here
        if predicate.record.judges_a_value and group not in left_alone and not _fits(predicate, seen, conditions)
    ]


def _as_go(spec: ValueSpec, value: Any) -> Any:
    shape = spec.value
    if isinstance(shape, ListOf) and shape.packed:
        return unpacked(value)
    if value is None and isinstance(spec.shape, Scalar):
        return spec.shape.zero
    return int(value) if spec.is_numbered and isinstance(value, str) else value


# --- values ----------------------------------------------------------------------------------------------------------


def fitting(spec: ValueSpec, conditions: Conditions) -> Sequence[Any]:
    """Returns the values at the limits that obey all rules, the simplest first."""
    key = tuple(conditions.get(name) for name in spec.names)
    found = spec.notes.get(key)
    if found is None:
        found = spec.notes[key] = [value for value in edges(spec) if fits(spec, value, conditions)]
    assert isinstance(found, list)
    return found


def edges(spec: ValueSpec) -> Sequence[Any]:
    """Returns values at and around the limits of the rules, and usual ones: valid and invalid."""
    found = spec.notes.get("edges")
    if found is None:
        found = spec.notes["edges"] = _edges(spec)[:_MOST]
    assert isinstance(found, list)
    return found


def sample_without_rules(spec: ValueSpec) -> Sequence[Any]:
    """Returns values for a type without rules. Values that handwritten checks often refuse come first."""
    shape = spec.value
    if isinstance(shape, Scalar) and shape.go == "string":
        return texts.UNRULED
    if isinstance(shape, Scalar) and shape.go != "bool":
        return sorted(edges(spec), key=lambda number: number not in (-1, 0, 65536))
    return edges(spec)


def short(values: Sequence[Any]) -> Sequence[Any]:
    """Returns the values without long texts, unless all are long."""
    return [v for v in values if not isinstance(v, str) or len(v) <= _LONG] or values


def _edges(spec: ValueSpec) -> list[Any]:
    match spec.value:
        case Scalar(go="string"):
            return _texts(spec)
        case Scalar(go="bool"):
            return [True, False]
        case Scalar(go=go):
            bounds = [n for n in _operands(spec) if isinstance(n, int)]
            return numbers_near(go, bounds)
        case Wire(form=form):
            return list(CUSTOM_JSON[form])
        case ListOf(packed=True):
            return [pack_bytes(count) for count in sizes(spec)]
    return []


def sizes(spec: ValueSpec) -> list[int]:
    """Returns the sizes around the limits on items, and a few small ones."""
    limits = [n for n in _operands(spec, Aspect.SIZE) if isinstance(n, int)]
    found = [1, 0, 2, 3, *(size for n in limits for size in (n, n - 1, n + 1, n + 2, n * 2))]
    return [size for size in dict.fromkeys(found) if size >= 0]


def _texts(spec: ValueSpec) -> list[str]:
    predicates_here = sorted(
        spec.tests(), key=lambda predicate: predicate.record.constraint != predicates.ENUM.constraint
    )
    formats = [
        texts.FORMAT_SAMPLES[str(predicate.operands[0])]
        for predicate in predicates_here
        if predicate.record is predicates.FORMAT
    ]
    formats += [
        _of_pattern(str(predicate.operands[0]))
        for predicate in predicates_here
        if predicate.record is predicates.MATCHES
    ]
    others = (
        predicate for predicate in predicates_here if predicate.record not in (predicates.FORMAT, predicates.MATCHES)
    )
    names = [name for predicate in others for name in _names(predicate)]
    spoken = [t for t in (*spec.hints, *names) if isinstance(t, str)]
    first: list[str] = [*spoken, *(text for good, _ in formats for text in good)]
    bounds = [n for n in _operands(spec, Aspect.CHARACTERS, Aspect.BYTES) if isinstance(n, int)]
    lengths = [size for n in bounds for size in (n, n - 1, n + 1, n + 2, n - 2, n * 2)]
    if not (spoken or formats):
        lengths += texts.USUAL_LENGTHS
    found: Iterator[str] = itertools.chain(
        first,
        texts.USUAL[:1],
        (text for n in bounds for text in texts.of_length(n)),
        (text for n in bounds for text in texts.of_bytes(n)),
        texts.USUAL,
        (text for text in spoken for text in texts.near(text)),
        (text for _, bad in formats for text in bad),
        (text for n in lengths for text in texts.of_length(n)),
    )
    return list(dict.fromkeys(found))


def _of_pattern(pattern: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns texts that match a pattern, and texts that probably do not."""
    from validation_gen.runtime.goregex.pattern import shortest  # noqa: PLC0415 - for formats of projects

    text = shortest(pattern)
    good = (text,) if text is not None else ()
    return good, (*(f"{each}\n" for each in good), "!", " ", "\u00e9")


def _names(predicate: Predicate) -> Iterable[object]:
    """Returns the values that a predicate mentions, including enum values that options exclude."""
    first = predicate.operands[0] if predicate.record.measures is Aspect.VALUE and predicate.operands else ()
    return first if isinstance(first, tuple | list | dict) else (first,)


def _operands(spec: ValueSpec, *measures: Aspect) -> Iterator[Any]:
    """Yields the first operands of all predicates about a value, or only of those about one of some aspects."""
    for predicate in spec.tests():
        record = predicate.record
        if predicate.operands and (record.measures in measures if measures else record.judges_a_value):
            yield predicate.operands[0]


# --- any number of values ----------------------------------------------------------------------------------------


def distinct(spec: ValueSpec, conditions: Conditions) -> Iterator[Any]:
    """Yields values that obey all rules, without duplicates, set ones first. It may be endless."""
    found = short(fitting(spec, conditions))
    known: set[Any] = set()
    for value in sorted(found, key=lambda each: not each):
        if isinstance(value, dict | list):
            return
        if (type(value), value) not in known:
            known.add((type(value), value))
            yield value
    misses = 0
    for number in itertools.count(2):
        if misses > 50:
            return
        misses += 1
        for value in _further(spec, found, number):
            if (type(value), value) not in known and fits(spec, value, conditions):
                known.add((type(value), value))
                misses = 0
                yield value
                break


def _further(spec: ValueSpec, found: Sequence[Any], number: int) -> Iterator[Any]:
    shape = spec.value
    for value in found[:3]:
        if isinstance(shape, Scalar) and shape.go == "string":
            yield from texts.number_variants(value, number)
        elif isinstance(shape, Scalar) and shape.go != "bool":
            low, high = limits(shape.go)
            yield from (n for n in (value + number, value - number) if low <= n <= high)
        elif isinstance(shape, Wire) and shape.form in ("quantity", "intorstring"):
            yield number + 100
        elif isinstance(shape, Wire) and "time" in shape.form:
            yield f"{2000 + number:04d}-01-01T00:00:00{'.000001' if shape.form == 'microtime' else ''}Z"
        elif isinstance(shape, Wire) and shape.form in ("any", "raw"):
            yield {"a": number} if shape.form == "raw" else f"a{number}"
