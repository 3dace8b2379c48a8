"""Recognizes patterns that are equivalent to a format of Kubernetes."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = rf"{_LABEL}(\.{_LABEL})*"
_HEX = "[0-9a-f]"


@dataclass(frozen=True, slots=True)
class PatternFormat:
    """A format. `longest` is its length limit beside the pattern, `None` if the pattern includes it."""

    name: str
    longest: int | None = None


_FORMATS = {
    _LABEL: PatternFormat("k8s-short-name", 63),
    "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?": PatternFormat("k8s-short-name"),
    _SUBDOMAIN: PatternFormat("k8s-long-name", 253),
    rf"{_SUBDOMAIN}(/{_SUBDOMAIN})*": PatternFormat("k8s-resource-pool-name", 253),
    "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?": PatternFormat("k8s-label-value", 63),
    "([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?": PatternFormat("k8s-label-value"),
    f"{_HEX}{{8}}(-{_HEX}{{4}}){{3}}-{_HEX}{{12}}": PatternFormat("k8s-uuid"),
    f"{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}": PatternFormat("k8s-uuid"),
}
#: Anchors of the beginning and the end of the text. In Python, `$` lets a line break follow.
_STARTS = ("^", r"\A")
_ENDS = {"pydantic": ("$", r"\z"), "msgspec": (r"\Z",), "attrs": ("$", r"\Z", "")}
_CLASS = re.compile(r"\[((?:[^\]\\^]|\\.)(?:[^\]\\]|\\.)*)\]")
_MEMBER = re.compile(r"(?:\\.|[^\\])(?:-(?:\\.|[^\\]))?")


def format_of(pattern: str, library: str) -> PatternFormat | None:
    """Returns the format of a library's pattern, `None` if there is none.

    pydantic searches with Rust's patterns, msgspec with those of Python, and attrs matches the whole text.
    """
    starts = (*_STARTS, "") if library == "attrs" else _STARTS
    for start in starts:
        for end in _ENDS.get(library, ()):
            if pattern.startswith(start) and pattern.endswith(end):
                body = pattern[len(start) : len(pattern) - len(end)]
                if found := _CANONICAL.get(_canonical(body)):
                    return found
    return None


def _canonical(body: str) -> str:
    """Normalizes a pattern: non-capturing groups, and the order of members of a class."""
    plain = body.replace("(?:", "(").replace("[.]", r"\.").replace(r"\/", "/")
    return _CLASS.sub(lambda match: f"[{_members(match[1])}]", plain)


def _members(inside: str) -> str:
    members = {member.replace("\\-", "-").replace("\\.", ".") for member in _MEMBER.findall(inside)}
    return " ".join(sorted(members))


_CANONICAL = {_canonical(pattern): found for pattern, found in _FORMATS.items()}
