"""Translates constraints of other libraries to equivalent tags, and patterns to equivalent formats."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeGuard

from validation_gen.diagnostics import Diagnostic, Severity
from validation_gen.sources.model import INTEGER_KINDS, Builtin, List, Map, TypeExpr
from validation_gen.sources.python.constraints import Constraint, is_broken
from validation_gen.tags.model import CommentLine

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


def find_format(pattern: str, library: str) -> PatternFormat | None:
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


_LEASTS = ("ge", "gt")
_BOUNDS = (*_LEASTS, "le", "lt")
#: Tags with limits, by what they count.
_COUNTS = {
    "string": ("minLength", "maxLength"),
    "list": ("minItems", "maxItems"),
    "map": ("minProperties", "maxProperties"),
}
#: Tags that show that the author knows about the gap.
HANDWRITTEN = ("+k8s:customValidation",)
_CUSTOM = "write CustomValidation for it, or take it away"


@dataclass(frozen=True, slots=True)
class ConditionalFinding:
    """A finding about a constraint, and the tags that suppress it."""

    diagnostic: Diagnostic
    unless: tuple[str, ...] = ()


@dataclass(slots=True)
class Translated:
    """The tags from constraints, and the findings about the others."""

    tags: list[CommentLine] = field(default_factory=list)
    findings: list[ConditionalFinding] = field(default_factory=list)


def broken_defaults(name: str, default: object, constraints: Sequence[Constraint]) -> list[ConditionalFinding]:
    """Returns findings about a default that breaks its own constraints, which pydantic and msgspec do not check.

    Also about one that is valid where the zero value is not: validators set no defaults, and see the zero value in an
    absent field.
    """
    found = []
    for constraint in constraints:
        if is_broken(constraint, default):
            message = f"the default of `{name}` breaks `{constraint.text}`"
            help = "write another default" if default else "write another default, or Optional"
            finding = Diagnostic("VG106", Severity.WARNING, message, constraint.span, help)
            found.append(ConditionalFinding(finding, () if default else ("+k8s:optional",)))
        elif default and isinstance(default, int | float | str) and _refuses(constraint, type(default)()):
            zero = json.dumps(type(default)())
            message = f"validators see {zero} where `{name}` is absent, which breaks `{constraint.text}`"
            help = f"fill in the default, {json.dumps(default)}, before they run, or write Optional"
            finding = Diagnostic("VG106", Severity.WARNING, message, constraint.span, help)
            found.append(ConditionalFinding(finding, ("+k8s:optional",)))
    return found


def _refuses(constraint: Constraint, value: object) -> bool:
    options = constraint.value
    return is_broken(constraint, value) or (isinstance(options, list | tuple) and value not in options)


@dataclass(frozen=True, slots=True)
class Target:
    """Target of constraints: the type below names and pointers, and whether `None` is one of its values."""

    native: TypeExpr | None
    nullable: bool = False

    @property
    def family(self) -> str:
        match self.native:
            case Builtin(name) if name in INTEGER_KINDS:
                return "int"
            case Builtin(name):
                return name
            case List():
                return "list"
            case Map():
                return "map"
        return ""

    @property
    def range(self) -> tuple[int, int]:
        assert isinstance(self.native, Builtin)
        bits = int(self.native.name.lstrip("uint") or 64)
        return (0, 2**bits - 1) if self.native.name.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def translate(target: Target, constraints: Sequence[Constraint]) -> Translated:
    """Returns the tags for the constraints of one value."""
    translation = _Translation(target)
    known = [constraint for constraint in constraints if translation.judge(constraint)]
    for constraint in known:
        if constraint.kind in _BOUNDS:
            translation.bound(constraint)
        elif constraint.kind in ("min_length", "max_length"):
            translation.count(constraint)
    for constraint in known:
        if constraint.kind == "pattern":
            translation.pattern(constraint)
    for key, (value, constraint) in translation.found.items():
        translation.result.tags.append(CommentLine(f"+k8s:{key}={value}", constraint.span, literal=False))
    return translation.result


@dataclass(slots=True)
class _Translation:
    target: Target
    result: Translated = field(default_factory=Translated)
    #: Payload of each tag, with the constraint that it comes from.
    found: dict[str, tuple[int | str, Constraint]] = field(default_factory=dict)
    _first: dict[str, Constraint] = field(default_factory=dict)

    def judge(self, constraint: Constraint) -> bool:
        """Returns whether a constraint can be a tag; reports those that cannot."""
        if constraint.problem:
            self._tell(constraint, constraint.problem, "write the value itself", HANDWRITTEN)
            return False
        if not constraint.passes_none and self.target.nullable:
            message = f"None breaks `{constraint.text}`"
            help = f"write attrs.validators.optional({constraint.text})"
            self._add(Diagnostic("VG106", Severity.WARNING, message, constraint.span, help))
        if constraint.kind == "multiple_of" and constraint.value == 1 and self.target.family == "int":
            return False  # true for every integer
        if constraint.kind not in (*_BOUNDS, "min_length", "max_length", "pattern"):
            self._tell(constraint, "no tag says the same", _CUSTOM, HANDWRITTEN)
            return False
        first = self._first.setdefault(constraint.kind, constraint)
        if first.value != constraint.value and constraint.kind != "pattern":
            message = f"`{constraint.text}` says something else than `{first.text}`"
            self._add(Diagnostic("VG106", Severity.ERROR, message, constraint.span, "write one of them"))
            return False
        return True

    def bound(self, constraint: Constraint) -> None:
        limit = constraint.value
        if self.target.family != "int" or not _is_number(limit):
            self._misfit(constraint)
            return
        low, high = self.target.range
        if constraint.kind in _LEASTS:
            least = math.ceil(limit) if constraint.kind == "ge" else math.floor(limit) + 1
            if least > low:
                self._tighten("minimum", least, constraint)
        else:
            most = math.floor(limit) if constraint.kind == "le" else math.ceil(limit) - 1
            if most < high:
                self._tighten("maximum", most, constraint)

    def count(self, constraint: Constraint) -> None:
        limit = constraint.value
        names = _COUNTS.get(self.target.family)
        if names is None or isinstance(limit, bool) or not isinstance(limit, int) or limit < 0:
            self._misfit(constraint)
        elif constraint.kind == "max_length":
            self._tighten(names[1], limit, constraint)
        elif limit:
            self._tighten(names[0], limit, constraint)
            if self.target.nullable and self.target.family != "string":
                message = f"`{constraint.text}` refuses an absent value here, and passes None"
                help = "write Optional if it may be absent or empty, or Required"
                finding = Diagnostic("VG106", Severity.WARNING, message, constraint.span, help)
                self._add(finding, ("+k8s:optional", "+k8s:required"))

    def pattern(self, constraint: Constraint) -> None:
        if self.target.family != "string" or not isinstance(constraint.value, str):
            self._misfit(constraint)
            return
        format = find_format(constraint.value, constraint.library)
        known, _ = self.found.get("maxLength", (None, None))
        if format is None:
            help = "write a Format that says what is meant, or CustomValidation"
            self._tell(constraint, "no format is the same", help, ("+k8s:format", *HANDWRITTEN))
        elif format.longest is not None and (not isinstance(known, int) or known > format.longest):
            help = f'with max_length={format.longest} it is Format("{format.name}")'
            unless = ("+k8s:format", *HANDWRITTEN)
            self._tell(constraint, "the format that is like it has a greatest length", help, unless)
        else:
            self.found["format"] = (format.name, constraint)
            if known == format.longest and known is not None:
                del self.found["maxLength"]  # the format includes that

    def _tighten(self, tag: str, limit: int, constraint: Constraint) -> None:
        known, _ = self.found.get(tag, (limit, None))
        assert isinstance(known, int)
        least = tag.startswith("min")
        if tag not in self.found or (limit > known if least else limit < known):
            self.found[tag] = (limit, constraint)

    def _misfit(self, constraint: Constraint) -> None:
        self._tell(constraint, "no tag says that of such a type", _CUSTOM, HANDWRITTEN)

    def _tell(self, constraint: Constraint, reason: str, help: str, unless: tuple[str, ...]) -> None:
        message = f"`{constraint.text}` has no effect here: {reason}"
        self._add(Diagnostic("VG106", Severity.WARNING, message, constraint.span, help), unless)

    def _add(self, diagnostic: Diagnostic, unless: tuple[str, ...] = ()) -> None:
        self.result.findings.append(ConditionalFinding(diagnostic, unless))


def _is_number(value: object) -> TypeGuard[int | float]:
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool)
