"""`semver(...)` and its methods, as `github.com/blang/semver` reads versions."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import total_ordering
from typing import ClassVar

from validation_gen.kubernetes.cel.functions import accepts, compare
from validation_gen.kubernetes.cel.values import UINT_MOST, EvaluationError
from validation_gen.runtime.gotext import go_quote

_NUMBER = re.compile(r"[0-9]+")
_PART = re.compile(r"[0-9A-Za-z-]+")


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Semver:
    """A version. Comparisons ignore the build metadata."""

    type_name: ClassVar[str] = "kubernetes.Semver"
    major: int
    minor: int
    patch: int
    before: tuple[int | str, ...] = ()
    build: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Semver) and _key(self) == _key(other)

    def __lt__(self, other: Semver) -> bool:
        return _key(self) < _key(other)

    def __hash__(self) -> int:
        return hash((self.major, self.minor, self.patch, self.before))

    def __str__(self) -> str:
        text = f"{self.major}.{self.minor}.{self.patch}"
        if self.before:
            text += "-" + ".".join(map(str, self.before))
        return "+".join([text, ".".join(self.build)] if self.build else [text])


# --- reading ----------------------------------------------------------------------------------------------------------


def semver(text: str, normalize: bool = False) -> Semver:
    """Parses a version; with `normalize` also one in a lax form."""
    return _parse(_normalize(text) if normalize else text)


def _normalize(text: str) -> str:
    """Removes a leading `v` and leading zeros, and adds missing numbers."""
    parts = [_without_zeros(part) for part in text.removeprefix("v").split(".", 2)]
    if len(parts) < 3 and re.search(r"[+-]", parts[-1]):
        raise EvaluationError("short version cannot contain PreRelease/Build meta data")
    return ".".join(parts + ["0"] * (3 - len(parts)))


def _without_zeros(part: str) -> str:
    if len(part.encode("utf-8", "surrogatepass")) < 2:
        return part
    rest = part.lstrip("0")
    return rest if "0" <= rest[:1] <= "9" else f"0{rest}"


def _parse(text: str) -> Semver:
    if not text:
        raise EvaluationError("Version string empty")
    parts = text.split(".", 2)
    if len(parts) != 3:
        raise EvaluationError("No Major.Minor.Patch elements found")
    major, minor = _number("Major", parts[0]), _number("Minor", parts[1])
    rest, plus, build = parts[2].partition("+")
    rest, minus, before = rest.partition("-")
    patch = _number("Patch", rest)
    releases = tuple(_release(part) for part in before.split(".")) if minus else ()
    builds = tuple(_build(part) for part in build.split(".")) if plus else ()
    return Semver(major, minor, patch, releases, builds)


def _number(what: str, text: str) -> int:
    if text and not _NUMBER.fullmatch(text):
        raise EvaluationError(f"Invalid character(s) found in {what.lower()} number {go_quote(text)}")
    if len(text) > 1 and text[0] == "0":
        raise EvaluationError(f"{what} number must not contain leading zeroes {go_quote(text)}")
    return _uint(text)


def _uint(text: str) -> int:
    """Parses a number, with the errors of Go's `strconv`."""
    if not text:
        raise EvaluationError('strconv.ParseUint: parsing "": invalid syntax')
    if len(text) > 20 or int(text) > UINT_MOST:
        raise EvaluationError(f"strconv.ParseUint: parsing {go_quote(text)}: value out of range")
    return int(text)


def _release(text: str) -> int | str:
    if not text:
        raise EvaluationError("Prerelease is empty")
    if _NUMBER.fullmatch(text):
        if len(text) > 1 and text[0] == "0":
            raise EvaluationError(f"Numeric PreRelease version must not contain leading zeroes {go_quote(text)}")
        return _uint(text)
    if not _PART.fullmatch(text):
        raise EvaluationError(f"Invalid character(s) found in prerelease {go_quote(text)}")
    return text


def _build(text: str) -> str:
    if not text:
        raise EvaluationError("Build meta data is empty")
    if not _PART.fullmatch(text):
        raise EvaluationError(f"Invalid character(s) found in build meta data {go_quote(text)}")
    return text


# --- comparing --------------------------------------------------------------------------------------------------------


def _key(version: Semver) -> tuple[object, ...]:
    """Sort key: numbers come before words, fewer parts before more, and prereleases before the release itself."""
    parts = tuple((0, part, "") if isinstance(part, int) else (1, 0, part) for part in version.before)
    return version.major, version.minor, version.patch, not version.before, parts


def _int64(number: int) -> int:
    """Wraps a number around to 64 bits, as Go's conversion does."""
    return number - (1 << 64) if number >> 63 else number


CLASSES: dict[str, type] = {Semver.type_name: Semver}
FUNCTIONS: dict[str, Callable[..., object]] = {
    "string_to_semver": semver,
    "string_bool_to_semver": semver,
    "is_semver_string": accepts(semver),
    "is_semver_string_bool": accepts(semver),
    "semver_is_greater_than": operator.gt,
    "semver_is_less_than": operator.lt,
    "semver_compare_to": compare,
    "semver_major": lambda version: _int64(version.major),
    "semver_minor": lambda version: _int64(version.minor),
    "semver_patch": lambda version: _int64(version.patch),
}
