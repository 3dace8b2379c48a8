"""Equality of errors: the matcher of `k8s.io/apimachinery/pkg/util/validation/field`.

The handwritten error is the wanted one, the declarative one is the result. Parts that a handwritten error cannot know
(`Mark.ANY_TYPE` and its like) are not compared. Bad values are compared as `reflect.DeepEqual` does and printed as the
verb `%v` does.
"""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from validation_gen.runtime.errors import ErrorType, FieldError, Mark
from validation_gen.runtime.gotext import go_quote, render_bad_value


def is_same_value(a: object, b: object) -> bool:
    """Returns whether two decoded values have equal types and values, at any depth: `1`, `1.0` and `True` differ."""
    todo = [(a, b)]
    seen: set[tuple[int, int]] = set()
    while todo:
        a, b = todo.pop()
        if isinstance(a, dict) and isinstance(b, dict):
            children = [(a[key], b[key]) for key in a] if a.keys() == b.keys() else None
        elif isinstance(a, list | tuple) and isinstance(b, list | tuple):
            children = list(zip(a, b, strict=True)) if len(a) == len(b) else None
        else:
            children = [] if _kind(a) is _kind(b) and a == b else None
        if children is None:
            return False
        if children and (id(a), id(b)) not in seen:  # YAML aliases make cycles
            seen.add((id(a), id(b)))
            todo += children
    return True


def _kind(value: object) -> type:
    """Returns the type of a value, `str` for instances of its subclasses."""
    return str if isinstance(value, str) else type(value)


def go_value(value: object) -> str:
    """Returns a decoded value as `%v` prints it. A string is quoted, unless it is inside another value."""
    return go_quote(value) if isinstance(value, str) else _inner(value, ())


def _inner(value: object, above: tuple[int, ...]) -> str:
    if isinstance(value, str):
        return str(value)
    if value is None:
        return "<nil>"
    if id(value) in above or len(above) > 100:  # YAML aliases make cycles
        return "..."
    if isinstance(value, dict):
        inner = (*above, id(value))
        items = sorted((_inner(key, inner), _inner(item, inner)) for key, item in value.items())
        return f"map[{' '.join(f'{key}:{item}' for key, item in items)}]"
    if isinstance(value, list | tuple):
        inner = (*above, id(value))
        return f"[{' '.join(_inner(item, inner) for item in value)}]"
    return render_bad_value(value, json_string=False)


_TEMPLATE = re.compile(r"\$(?:(\$)|(\w+)|\{(\w+)\})")


class NormalizationRule:
    """Rewrites paths of one API version into those that the handwritten side reports.

    Args:
        regexp: a pattern, searched anywhere in the path, in the syntax of `re`. Classes such as digits are of
            ASCII.
        replacement: replacement of each match, with `$1`, `${1}` and `${name}` for groups, as in Go.

    Raises:
        ValueError: the pattern is malformed, or the replacement names a group that it does not have.
    """

    __slots__ = ("regexp", "replacement")

    def __init__(self, regexp: str, replacement: str) -> None:
        try:
            self.regexp = re.compile(regexp, re.ASCII)
        except re.error as error:
            raise ValueError(f"{regexp!r} is no regular expression: {error}") from None
        self.replacement = replacement
        for match in _TEMPLATE.finditer(replacement):
            name = match[2] or match[3]
            known = name is None or name in self.regexp.groupindex
            if not known and not (name.isdecimal() and int(name) <= self.regexp.groups):
                raise ValueError(f"{replacement!r} has ${{{name}}}, which is not a group of {regexp!r}")

    def apply(self, path: str) -> str:
        """Returns the path with every match replaced. As in Go, an empty match after another one does not count."""
        end = -1

        def replaced(found: re.Match[str]) -> str:
            nonlocal end
            is_none = found.end() == end
            end = found.end()
            return "" if is_none else self._expand(found)

        return self.regexp.sub(replaced, path)

    def _expand(self, found: re.Match[str]) -> str:
        def group(part: re.Match[str]) -> str:
            name = part[2] or part[3]
            return "$" if part[1] else found[int(name) if name.isdecimal() else name] or ""

        return _TEMPLATE.sub(group, self.replacement)

    def __repr__(self) -> str:
        return f"NormalizationRule({self.regexp.pattern!r}, {self.replacement!r})"


@dataclass(frozen=True, slots=True)
class ErrorMatcher:
    """Compares the selected parts of errors; each `by_…` method returns a matcher that compares more.

    Tests use it as upstream's do:

        ErrorMatcher().by_type().by_field().by_origin().check(want, got)
    """

    compares_type: bool = False
    compares_field: bool = False
    compares_value: bool = False
    compares_origin: bool = False
    needs_origin: bool = False
    compares_level: bool = False
    compares_short_circuit: bool = False
    accepts_ancestors: bool = False
    detail: Callable[[str, str], bool] | None = None
    normalization: tuple[NormalizationRule, ...] = ()

    def exactly(self) -> ErrorMatcher:
        return self.by_type().by_field().by_value().by_origin().by_detail_exact()

    def by_type(self) -> ErrorMatcher:
        return replace(self, compares_type=True)

    def by_field(self) -> ErrorMatcher:
        return replace(self, compares_field=True)

    def by_field_normalized(self, rules: Iterable[NormalizationRule]) -> ErrorMatcher:
        """Returns a matcher that compares fields, and normalizes paths of other API versions by `rules`."""
        return replace(self, compares_field=True, normalization=tuple(rules))

    def by_value(self) -> ErrorMatcher:
        return replace(self, compares_value=True)

    def by_origin(self) -> ErrorMatcher:
        return replace(self, compares_origin=True)

    def require_origin_when_invalid(self) -> ErrorMatcher:
        """Errors of the type Invalid match only if both have an origin: too many rules give such errors."""
        return replace(self, needs_origin=True)

    def by_validation_stability_level(self) -> ErrorMatcher:
        return replace(self, compares_level=True)

    def match_short_circuit(self) -> ErrorMatcher:
        return replace(self, compares_short_circuit=True)

    def match_ancestor_short_circuit(self) -> ErrorMatcher:
        """Accepts an error that stopped all checks below its field for any error there."""
        return replace(self, accepts_ancestors=True)

    def by_detail_exact(self) -> ErrorMatcher:
        return replace(self, detail=operator.eq)

    def by_detail_substring(self) -> ErrorMatcher:
        return replace(self, detail=lambda want, got: want in got)

    def by_detail_regexp(self) -> ErrorMatcher:
        return replace(self, detail=lambda want, got: re.search(want, got) is not None)

    # --- verdicts -----------------------------------------------------------------------------------------------------

    def matches(self, want: FieldError, got: FieldError) -> bool:
        """Returns whether two errors are equal in all compared parts."""
        return self.matches_at(want, want.field, got, got.field)

    def matches_at(self, want: FieldError, wanted: str, got: FieldError, path: str) -> bool:
        """Does the same as `matches` with known paths, as building them takes longest."""
        marks = want.marks
        is_stop = self.accepts_ancestors and got.short_circuit
        if is_stop and (is_above(path, wanted) or (wanted != path and is_above(self.normalized(path), wanted))):
            return True
        # First, as most errors differ there.
        elsewhere = self.compares_field and wanted != path and Mark.ANY_FIELD not in marks
        if elsewhere and (not self.normalization or wanted != self.normalized(path)):
            return False
        if self.compares_type and want.type is not got.type and Mark.ANY_TYPE not in marks:
            return False
        if self.compares_origin and Mark.ANY_ORIGIN not in marks:
            if want.origin != got.origin:
                return False
            if self.needs_origin and want.type is ErrorType.INVALID and not (want.origin and got.origin):
                return False
        return (
            (not self.compares_value or is_same_value(want.bad_value, got.bad_value))
            and (self.detail is None or self.detail(want.detail, got.detail))
            and (not self.compares_level or want.level == got.level)
            and (not self.compares_short_circuit or want.short_circuit == got.short_circuit)
        )

    @property
    def is_by_place(self) -> bool:
        """True if only errors with equal paths, original or normalised, can match."""
        return self.compares_field and not self.accepts_ancestors

    def normalized(self, path: str) -> str:
        """Returns the path after the first normalisation rule that changes it."""
        for rule in self.normalization:
            rewritten = rule.apply(path)
            if rewritten != path:
                return rewritten
        return path

    def render(self, error: FieldError) -> str:
        """Renders the compared parts of an error, as Kubernetes logs them."""
        parts = []
        if self.compares_type:
            parts.append(f"Type={go_quote(error.type.label)}")
        if self.compares_field:
            field = error.field
            normal = self.normalized(field)
            parts.append(f"Field={go_quote(normal)}" + (f" (aka {go_quote(field)})" if normal != field else ""))
        if self.compares_value:
            parts.append(f"Value={go_value(error.bad_value)}")
        if self.compares_origin or (self.needs_origin and error.type is ErrorType.INVALID):
            parts.append(f"Origin={go_quote(error.origin)}")
        if self.detail is not None:
            parts.append(f"Detail={go_quote(error.detail)}")
        if self.compares_level:
            parts.append(f"ValidationStabilityLevel={error.level or 'unknown'}")
        if self.compares_short_circuit:
            parts.append(f"ShortCircuit={json.dumps(error.short_circuit)}")
        return f"{{{', '.join(parts)}}}"

    def check(self, want: Sequence[FieldError], got: Sequence[FieldError]) -> None:
        """Compares the errors that a test wants with those that it got.

        If origins are compared, a wanted error with an origin matches all equal errors; otherwise it matches one.

        Raises:
            AssertionError: an error is missing, unexpected or repeated. The message lists all.
            ValueError: the matcher accepts errors above the wanted ones, which is for comparisons at run time.
        """
        if self.accepts_ancestors:
            raise ValueError("a matcher with `match_ancestor_short_circuit` is not for tests")
        exactly = self.exactly()
        problems = []
        seen = set()
        for error in got:
            text = exactly.render(error)
            if text in seen:
                problems.append(f"exact duplicate error:\n{text}")
            seen.add(text)
        paths = [error.field for error in got]
        remaining = dict.fromkeys(range(len(got)))
        places: dict[str, list[int]] = {}
        for index, path in enumerate(paths):
            for each in {path, self.normalized(path)}:
                places.setdefault(each, []).append(index)
        for error in want:
            wanted = error.field
            is_near = self.is_by_place and Mark.ANY_FIELD not in error.marks
            near = [index for index in places.get(wanted, ()) if index in remaining] if is_near else list(remaining)
            if is_near:
                places[wanted] = near
            found = [index for index in near if self.matches_at(error, wanted, got[index], paths[index])]
            if not found:
                problems.append(f"expected an error matching:\n{self.render(error)}")
            for index in found if self.compares_origin and error.origin else found[:1]:
                del remaining[index]
        problems += [f"unmatched error:\n{exactly.render(got[index])}" for index in remaining]
        if problems:
            raise AssertionError("\n".join(problems))


def is_above(parent: str, child: str) -> bool:
    """Returns whether a path is strictly above another: `spec` is above `spec.ports[0]`, and not above `specs`.

    That of the object itself is above no other, as in Kubernetes.
    """
    return bool(parent) and child.startswith((f"{parent}.", f"{parent}["))
