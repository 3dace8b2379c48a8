"""Objects of `api` of any size, right and wrong in every way that is known to have taken long somewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

#: Makes the object of a size; of two such objects with another `mark` nearly all values differ.
Make = Callable[[int, str], dict[str, Any]]

_TIME = "2024-01-01T00:00:00Z"


def _condition(type: str, time: object = _TIME, **more: object) -> dict[str, Any]:
    return {"type": type, "status": "True", "reason": "R", "message": "", "lastTransitionTime": time, **more}


def _port(number: int, name: str, **more: object) -> dict[str, Any]:
    return {"name": name, "protocol": "TCP", "number": number, **more}


def nested(depth: int, field: str, name: str, *, wrong: object = None) -> dict[str, Any]:
    """Nodes in nodes. `wrong` is a name that is none, on each level."""
    inner: dict[str, Any] = {"name": name}
    for _ in range(depth):
        outer: Any = [inner] if field == "kids" else {"a": inner} if field == "byName" else inner
        inner = {"name": "n" if wrong is None else wrong, field: outer}
    return {"root": inner}


#: Objects by what there is much of, with the greatest size that is measured. Right texts are remembered up to a number:
#: at both sizes there have to be more.
WIDE: dict[str, tuple[Make, int]] = {
    "tags": (lambda n, m: {"tags": [f"{m}{i}" for i in range(n)]}, 16_000),
    "equal tags": (lambda n, m: {"tags": [m] * n}, 8_000),
    "junk tags": (lambda n, m: {"tags": [{"a": m}] * n}, 2_000),
    "ports": (lambda n, m: {"ports": [_port(1, f"{m}{i}") for i in range(n)]}, 4_000),
    "ports in reverse": (lambda n, m: {"ports": [_port(1, f"{i if m == 'a' else n - i}") for i in range(n)]}, 4_000),
    "ports with changes": (lambda n, m: {"ports": [_port(ord(m), f"{i}") for i in range(n)]}, 4_000),
    "wrong ports": (lambda n, m: {"ports": [_port(0, f"{m}{i}") for i in range(n)]}, 2_000),
    "equal ports": (lambda n, m: {"ports": [_port(1, m)] * n}, 4_000),
    "ports without readable keys": (lambda n, m: {"ports": [{"name": [m], "protocol": 1} for i in range(n)]}, 2_000),
    "ports that are none": (lambda n, m: {"ports": [m, 1, None, [], {}] * (n // 5)}, 4_000),
    "conditions": (lambda n, m: {"conditions": [_condition(f"{m}{i}") for i in range(n)]}, 2_000),
    "equal conditions at no time": (lambda n, m: {"conditions": [_condition(m, "soon")] * n}, 1_000),
    "conditions at no time": (lambda n, m: {"conditions": [_condition(f"{m}{i}", "soon") for i in range(n)]}, 1_000),
    "shapes": (lambda n, m: {"shapes": [{"sides": [i], "names": {m: m}} for i in range(n)]}, 4_000),
    "one shape with many sides": (lambda n, m: {"shapes": [{"sides": list(range(n))}, {"sides": [ord(m)]}]}, 16_000),
    "labels": (lambda n, m: {"labels": {f"{m}{i}": f"v{i}" for i in range(n)}}, 12_000),
    "wrong labels": (lambda n, m: {"labels": {f"-{m}{i}": f"-v{i}" for i in range(n)}}, 2_000),
    "labels that are none": (lambda n, m: {"labels": {f"{m}{i}": {} for i in range(n)}}, 4_000),
    "keys that are no numbers": (lambda n, m: {"numbers": {f"{m}{i}": i for i in range(n)}}, 4_000),
    "numbers": (lambda n, m: {"numbers": {f"{i}": ord(m) for i in range(n)}}, 8_000),
    "phases": (lambda n, m: {"phases": ["Open", m] * (n // 2)}, 4_000),
    "quantities": (lambda n, m: {"quantities": {f"{i}": f"{i}{'m' if m == 'a' else ''}" for i in range(n)}}, 12_000),
    "times": (lambda n, m: {"times": [_TIME, f"{_TIME}{m}"] * (n // 2)}, 2_000),
    "durations": (lambda n, m: {"durations": ["1h", f"1{m}"] * (n // 2)}, 2_000),
    "bytes in a list": (lambda n, m: {"bytes": [ord(m)] * n}, 32_000),
    "raw values": (lambda n, m: {"raw": {"items": [{"a": m, "b": i} for i in range(n)]}}, 4_000),
    "unknown fields": (lambda n, m: {f"{m}{i}": i for i in range(n)}, 16_000),
}

#: As wide ones, by how deep they are. There is a limit to depth, as Python has one.
DEEP: dict[str, tuple[Make, int]] = {
    f"{field} in {field}{', each wrong' if wrong is not None else ''}": (
        lambda n, m, field=field, wrong=wrong: nested(n, field, m, wrong=wrong),
        200 if field == "byName" else 280,
    )
    for field in ("next", "kids", "byName")
    for wrong in (None, "")
} | {
    "raw in raw": (lambda n, m: {"raw": _lists(n, m)}, 280),
}


def _lists(depth: int, mark: str) -> Any:
    value: Any = mark
    for _ in range(depth):
        value = {"a": [value]}
    return value


#: Texts of a length. None of them may be repeated, so that each is looked at.
TEXTS: dict[str, Callable[[int], str]] = {
    "letters": lambda n: "a" * n,
    "letters and a dot": lambda n: "a" * n + ".",
    "dots": lambda n: "a." * (n // 2),
    "dashes": lambda n: "a-" * (n // 2),
    "slashes": lambda n: "a/" * (n // 2) + "_",
    "zeros": lambda n: "0" * n,
    "zeros and a letter": lambda n: "0" * n + "x",
    "ones and a letter": lambda n: "1" * n + "x",
    "a fraction and a letter": lambda n: "1" * (n // 2) + "." + "1" * (n // 2) + "x",
    "suffixes": lambda n: "1" + "E" * n,
    "an exponent": lambda n: "1e" + "1" * n,
    "hours": lambda n: "1h" * (n // 2) + "!",
    "a long second": lambda n: "2024-01-01T00:00:00." + "1" * n + "!",
    "colons": lambda n: ":" * n,
    "colons and zeros": lambda n: "0:" * (n // 2),
    "blanks": lambda n: " " * n + "x",
    "base64": lambda n: "AAAA" * (n // 4) + "!",
    "letters of two bytes": lambda n: "é" * n,
    "control characters": lambda n: "\x01" * n,
    "quotes": lambda n: '"' * n,
    "at signs": lambda n: "a@" * (n // 2),
    "percents": lambda n: "%41" * (n // 3),
}
