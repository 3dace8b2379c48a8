"""Adds fixes to findings, and barriers to those in files that the user must not change."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field, replace

from validation_gen.build.fixes.comments import tags_by_line
from validation_gen.build.fixes.tags import corrected, levels_first
from validation_gen.diagnostics import Diagnostic, Diagnostics, Edit, Fix, Span
from validation_gen.sources.model import Universe
from validation_gen.tags.parser import RawTag

#: Findings about the text of a tag.
_OF_TAGS = ("VG102", "VG103", "VG105", "VG202", "VG203", "VG401")
_OF_LINES = (*_OF_TAGS, "VG417", "VG521", "VG524")


def propose(universe: Universe, diagnostics: Diagnostics, target: str) -> None:
    """Adds fixes to findings. Those that have one already keep it."""
    if any(item.code in _OF_LINES or item.fix for item in diagnostics.items):
        diagnostics.amend(_Mender(universe, target).mended)


@dataclass(slots=True)
class _Mender:
    universe: Universe
    target: str
    _tags: dict[tuple[str, int], list[RawTag]] = field(init=False)

    def __post_init__(self) -> None:
        self._tags = tags_by_line(self.universe.packages.values())

    def mended(self, finding: Diagnostic) -> Diagnostic:
        fix = finding.fix or self._fix(finding)
        if fix is None:
            return finding
        return replace(finding, fix=replace(fix, barrier=self._barrier(finding.span.file)))

    def _fix(self, finding: Diagnostic) -> Fix | None:
        raw = self._raw(finding.span) if finding.code in _OF_LINES else None
        if raw is None:
            return None
        if finding.code == "VG417":
            whole = raw.span == finding.span  # otherwise a remark follows it
            return Fix("remove the repetition", (Edit(raw.span, f"+{raw.text}", "", line=True),)) if whole else None
        if finding.code == "VG521":
            from validation_gen.build.fixes.markers import corrected_name  # noqa: PLC0415 - slow to import, and rare

            name = corrected_name(raw.name)
            return _rewritten(raw, None if name is None else f"{name}{raw.text[len(raw.name) :]}")
        if finding.code == "VG524":
            return _rewritten(raw, _without_single_quotes(raw, finding.span))
        return _rewritten(raw, levels_first(raw.text) if finding.code == "VG401" else corrected(raw.text, self.target))

    def _raw(self, span: Span) -> RawTag | None:
        """Returns the tag at a finding. One with a missing end is right behind it."""
        raws = self._tags.get((span.file, span.line), [])
        return next((raw for raw in raws if raw.span.column <= span.column <= raw.span.end_column), None)

    def _barrier(self, file: str) -> str:
        """Returns the reason why a file must not be changed, `""` for none."""
        if "vendor" in file.split("/")[:-1]:
            return "it is a copy of somebody else's file"
        places = {file, posixpath.dirname(file) or "."}
        owners = [package for package in self.universe.packages.values() if package.directory in places]
        if any(package.input for package in owners):
            return ""
        whose = f"package {owners[0].path}, " if owners else "a package "
        return f"it belongs to {whose}which is read and not generated for"


def _rewritten(raw: RawTag, text: str | None) -> Fix | None:
    if text is None or text == raw.text:
        return None
    # All of it, so that only text that was read can be changed.
    return Fix(f"write +{text}", (Edit(raw.part(1, len(raw.text) + 1), raw.text, text),))


def _without_single_quotes(raw: RawTag, span: Span) -> str | None:
    start, end = span.column - raw.span.column - 1, span.end_column - raw.span.column - 1
    inside = raw.text[start + 1 : end - 1]
    if start < 0 or raw.text[start : start + 1] != "'" or raw.text[end - 1 : end] != "'" or {'"', "\\"} & set(inside):
        return None
    return f'{raw.text[:start]}"{inside}"{raw.text[end:]}'
