"""Semantic versions.

Sources of the behaviour: `pkg/cel/library/semverlib.go` of `k8s.io/apiserver`, and `github.com/blang/semver/v4`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from validation_gen.kubernetes.cel.values import EvaluationError
from validation_gen.runtime.gotext import go_quote

_ALPHANUMERIC = re.compile(r"[0-9A-Za-z-]*")
_MOST = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Semver:
    """A version. What stands behind `+` does not count in comparisons."""

    major: int
    minor: int
    patch: int
    pre: tuple[int | str, ...] = ()

    @property
    def order(self) -> tuple[Any, ...]:
        """What versions are compared by: numbers come before texts, and a version before it was released first."""
        parts = tuple((0, part, "") if isinstance(part, int) else (1, 0, part) for part in self.pre)
        return self.major, self.minor, self.patch, not self.pre, parts


def semver(text: str, normalize: bool = False) -> Semver:
    """`semver(text)`; to normalize means to allow `v1.2`, and zeros before numbers."""
    return _parsed(_normalized(text) if normalize else text)


def is_semver(text: str, normalize: bool = False) -> bool:
    """`isSemver(text)`."""
    try:
        semver(text, normalize)
    except EvaluationError:
        return False
    return True


def compared(one: Semver, other: Semver) -> int:
    """-1, 0 or 1."""
    return (one.order > other.order) - (one.order < other.order)


def _normalized(text: str) -> str:
    parts = text.removeprefix("v").split(".", 2)
    for index, part in enumerate(parts):
        if len(part) > 1:
            short = part.lstrip("0")
            parts[index] = short if short[:1] in tuple("0123456789") else f"0{short}"
    if len(parts) < 3:
        if "+" in parts[-1] or "-" in parts[-1]:
            raise EvaluationError("short version cannot contain PreRelease/Build meta data")
        parts += ["0"] * (3 - len(parts))
    return ".".join(parts)


def _parsed(text: str) -> Semver:
    if not text:
        raise EvaluationError("Version string empty")
    parts = text.split(".", 2)
    if len(parts) != 3:
        raise EvaluationError("No Major.Minor.Patch elements found")
    major, minor = _number(parts[0], "Major"), _number(parts[1], "Minor")
    rest, plus, build = parts[2].partition("+")
    patch_text, dash, pre = rest.partition("-")
    patch = _number(patch_text, "Patch")
    found = tuple(_pre(part) for part in pre.split(".")) if dash else ()
    for part in build.split(".") if plus else ():
        if not part:
            raise EvaluationError("Build meta data is empty")
        if not _ALPHANUMERIC.fullmatch(part):
            raise EvaluationError(f"Invalid character(s) found in build meta data {go_quote(part)}")
    return Semver(major, minor, patch, found)


def _number(text: str, which: str) -> int:
    if not text.isascii() or not (text.isdigit() or not text):
        raise EvaluationError(f"Invalid character(s) found in {which.lower()} number {go_quote(text)}")
    if len(text) > 1 and text[0] == "0":
        raise EvaluationError(f"{which} number must not contain leading zeroes {go_quote(text)}")
    return _uint(text)


def _uint(text: str) -> int:
    if not text:
        raise EvaluationError('strconv.ParseUint: parsing "": invalid syntax')
    if len(text) > 20 or int(text) > _MOST:
        raise EvaluationError(f"strconv.ParseUint: parsing {go_quote(text)}: value out of range")
    return int(text)


def _pre(text: str) -> int | str:
    if not text:
        raise EvaluationError("Prerelease is empty")
    if text.isascii() and text.isdigit():
        if len(text) > 1 and text[0] == "0":
            raise EvaluationError(f"Numeric PreRelease version must not contain leading zeroes {go_quote(text)}")
        return _uint(text)
    if not _ALPHANUMERIC.fullmatch(text):
        raise EvaluationError(f"Invalid character(s) found in prerelease {go_quote(text)}")
    return text
