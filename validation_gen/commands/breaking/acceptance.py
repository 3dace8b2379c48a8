"""Accepted changes: `validation-gen:ignore VG705 no object has such names`, at the new declaration.

The declaration is the one that a finding points to: its comment or its own line. A removed element has no declaration,
so the struct accepts changes for its fields, and the comment of a package for its kinds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from validation_gen.compiler.lint.suppressions import OF_CHANGES, Suppression, suppressions
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.sources.model import Struct, Universe
from validation_gen.tags.comments import CommentLine

_Line = tuple[str, int]


@dataclass(slots=True)
class Acceptance:
    """The accepting lines of a state by location, and those that were used."""

    _by_place: dict[_Line, list[Suppression]] = field(default_factory=dict)
    _all: dict[Span, Suppression] = field(default_factory=dict)
    _used: set[Span] = field(default_factory=set)

    @classmethod
    def of(cls, universe: Universe) -> Acceptance:
        found = cls()
        for package in universe.inputs:
            found._note([(package.directory, 0)], (*package.comments, *package.loose))
            for declaration in package.types.values():
                comments = (*declaration.second_closest, *declaration.closest)
                found._note([_line(declaration.span)], comments)
                for member in declaration.type.fields if isinstance(declaration.type, Struct) else ():
                    found._note([_line(member.span)], member.comments)
        return found

    def _note(self, places: Sequence[_Line], comments: Sequence[CommentLine]) -> None:
        own = [s for s in suppressions(comments) if s.code.startswith(OF_CHANGES)]
        for suppression in own:
            self._all.setdefault(suppression.span, suppression)
        if own:
            for place in {*places, *(_line(comment.span) for comment in comments)}:
                self._by_place.setdefault(place, []).extend(own)

    def covers(self, code: str, span: Span) -> bool:
        """Returns whether a line accepts a finding at its location."""
        found = [s for s in self._by_place.get(_line(span), ()) if s.code == code]
        self._used.update(s.span for s in found)
        return bool(found)

    def report(self, diagnostics: Diagnostics) -> None:
        """Reports lines without a reason and lines that accept nothing."""
        for suppression in self._unused():
            message = f"unused suppression: no change here has {suppression.code}"
            diagnostics.warning("VG499", message, suppression.span, "remove the line")
        for suppression in self._all.values():
            if suppression.span in self._used and not suppression.reason:
                message = f"{suppression.code} is ignored without a reason, which later readers need"
                help = f"write the reason behind {suppression.code}"
                diagnostics.warning("VG498", message, suppression.span, help)

    def _unused(self) -> Iterator[Suppression]:
        return (s for s in self._all.values() if s.span not in self._used)


def _line(span: Span) -> _Line:
    return span.file, span.line
