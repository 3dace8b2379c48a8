"""What people do not want to be told: `+k8s:validation-gen-nolint`, and comments of our own.

Such a comment is a line of its own: `validation-gen:ignore VG411 the flag is a one-way switch`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.lint.survey import Declaration
from validation_gen.model import CommentLine
from validation_gen.tags.parser import extract

#: How the codes of changes begin, which `validation-gen breaking` finds.
OF_CHANGES = "VG7"
_NOLINT = "k8s:validation-gen-nolint"
_LINE = re.compile(r"\s*(?P<all>validation-gen:ignore\b\s*(?P<code>\w*)\W*(?P<reason>.*?))\s*", re.DOTALL)


def says_nolint(lines: Sequence[CommentLine]) -> bool:
    """Whether a comment turns off all rules. What follows the name of the tag is for people."""
    return any(raw.name == _NOLINT for raw in extract(lines))


@dataclass(frozen=True, slots=True)
class Suppression:
    """A line that silences one rule on one declaration."""

    code: str
    reason: str
    span: Span


def suppressions(lines: Sequence[CommentLine]) -> Iterator[Suppression]:
    for line in lines:
        if match := _LINE.fullmatch(line.text):
            yield Suppression(match["code"], match["reason"], line.span.sub(*match.span("all")))


@dataclass(slots=True)
class Silence:
    """All suppressions of a run, and which of them were needed. Fields declared together (`A, B string`) share them."""

    known: frozenset[str]
    _all: dict[Span, tuple[Suppression, str]] = field(default_factory=dict)
    _used: set[Span] = field(default_factory=set)

    def covers(self, declaration: Declaration) -> dict[str, Suppression]:
        """The suppressions of a declaration by code."""
        found = {}
        for suppression in suppressions(declaration.comments):
            self._all.setdefault(suppression.span, (suppression, declaration.place))
            found[suppression.code] = suppression
        return found

    def use(self, suppression: Suppression) -> None:
        self._used.add(suppression.span)

    def report(self, diagnostics: Diagnostics) -> None:
        """Suppressions without a reason, and those without an effect."""
        for suppression, place in self._all.values():
            code, span = suppression.code, suppression.span
            if code.startswith(OF_CHANGES):
                continue  # what has changed is another command's, which also tells those that it does not need
            if code not in self.known:
                message = f"{place}: {code} is the code of no lint rule" if code else f"{place}: no lint rule is named"
                help = "write the code of the finding and a reason: validation-gen:ignore VG411 a one-way switch"
                diagnostics.warning("VG499", f"{message}, so nothing is ignored here", span, help)
            elif span not in self._used:
                message = f"{place}: there is nothing here for which {code} would have to be ignored"
                diagnostics.warning("VG499", message, span, "remove the line")
            elif not suppression.reason:
                message = (
                    f"{place}: {code} is ignored without a reason, so nobody can tell later whether it still may be"
                )
                diagnostics.warning("VG498", message, span, f"write the reason behind {code}")
