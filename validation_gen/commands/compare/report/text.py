"""Renders the results for the terminal: totals and the most frequent groups (`render_text`), or one line a group.

The layout is that of diagnostics (`validation_gen.diagnostics.formats`). Nothing here prints, and no content of an
object can move the cursor. The objects of examples are short YAML with one marked value: large values are cut, with a
note; everything on the path to the marked value stays, and as much of the rest as fits. No decoded JSON or YAML raises
an exception. Reports for machines have whole objects.
"""

from __future__ import annotations

import difflib
import json
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from validation_gen.commands.compare.groups import Group, and_more
from validation_gen.commands.compare.report.wording import (
    Answer,
    Finding,
    counted,
    duration,
    finding,
    headline,
    number,
    percent,
    rate,
    render_options,
    short,
    visible,
)
from validation_gen.commands.compare.results import Results
from validation_gen.diagnostics import Span
from validation_gen.diagnostics.formats import Styler, excerpt, styler
from validation_gen.kubernetes.positions import ValueKeys
from validation_gen.kubernetes.yaml import plain
from validation_gen.runtime.gotext import go_json

_LONGEST_VALUE = 200  # characters of one string
_DEEPEST = 30  # levels that are shown: more than any API has

_UNQUOTED = re.compile(r"[A-Za-z_/](?:[A-Za-z0-9_./+@-]|:(?=[A-Za-z0-9_./])| (?=[A-Za-z0-9_/]))*")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of YAML. `marked` is the one with the offending value, `aside` a note about omitted lines."""

    text: str
    marked: bool = False
    aside: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """A line of two objects compared: `sign` is `-` (old), `+` (new), `blank` (both) or `…` (omitted lines)."""

    sign: str
    text: str


def yaml_lines(value: Any, way: ValueKeys | None = None, most: int = 60) -> list[Line]:
    """Renders a value in about `most` lines, with the value at `way` marked."""
    return list(_ObjectWriter(most).entries(value, "", way, 0))


def is_cut(lines: list[Line]) -> bool:
    """Returns whether parts of the object are omitted."""
    return any(line.aside for line in lines)


def changes(old: Any, new: Any, most: int = 60) -> list[Change]:
    """Renders the changes of an update, with the lines around them."""
    before = [line.text for line in yaml_lines(old, None, 400)]
    after = [line.text for line in yaml_lines(new, None, 400)]
    found = []
    for line in list(difflib.unified_diff(before, after, n=3, lineterm=""))[2:]:
        if not line.startswith("@@"):
            found.append(Change(line[0], line[1:]))
        elif found:
            found.append(Change("…", ""))
    return found[:most] + [Change("…", "")] * (len(found) > most)


class _ObjectWriter:
    """Writes one object. Values off the path to the marked value use up the remaining lines."""

    def __init__(self, most: int) -> None:
        self._left = most

    def entries(self, value: Any, indent: str, way: ValueKeys | None, depth: int) -> Iterator[Line]:
        """Yields the lines of a standalone value, or of all in a list or an object that is not empty."""
        if not isinstance(value, dict | list) or not value:
            yield from self._entry(indent, "", value, way, depth)
            return
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        hidden = 0
        for key, child in pairs:
            on_way = bool(way) and way is not None and way[0] == key
            if not on_way and self._left <= 0:
                hidden += 1
                continue
            if hidden:
                yield self._aside(indent, hidden, value)
                hidden = 0
            lead = "-" if isinstance(value, list) else f"{_scalar(key)[0]}:"
            yield from self._entry(indent, lead, child, way[1:] if on_way and way is not None else None, depth)
        if hidden:
            yield self._aside(indent, hidden, value)

    def _entry(self, indent: str, lead: str, value: Any, way: ValueKeys | None, depth: int) -> Iterator[Line]:
        """Yields the lines of a value behind its key or dash."""
        self._left -= 1
        marked = way == () and bool(lead)
        if not isinstance(value, dict | list) or not value:
            text, cut = _scalar(value)
            yield Line(f"{indent}{lead} {text}" if lead else f"{indent}{text}", marked, cut)
        elif depth >= _DEEPEST:
            yield Line(f"{indent}{lead} # … deeper than {_DEEPEST} levels", marked, True)
        elif lead != "-":
            yield Line(f"{indent}{lead}", marked)
            inner = indent if isinstance(value, list) else f"{indent}  "
            yield from self.entries(value, inner, way, depth + 1)
        else:
            inside = self.entries(value, f"{indent}  ", way, depth + 1)
            first = next(inside)
            text = f"{indent}- {first.text[len(indent) + 2 :]}"
            yield Line(text, marked or first.marked, first.aside)
            yield from inside

    def _aside(self, indent: str, hidden: int, value: Any) -> Line:
        return Line(
            f"{indent}# … {counted(hidden, 'more item' if isinstance(value, list) else 'more field')}", False, True
        )


def _scalar(value: Any) -> tuple[str, bool]:
    """Renders a scalar or an empty value as YAML, and returns whether it is cut."""
    if not isinstance(value, str):
        return visible(go_json(value)), False
    if len(value) > _LONGEST_VALUE:
        return f"{_quote(value[:_LONGEST_VALUE])} # … {counted(len(value), 'character')}", True
    if _UNQUOTED.fullmatch(value) and plain(value) == value:
        return value, False
    return _quote(value), False


def _quote(text: str) -> str:
    return visible(json.dumps(text, ensure_ascii=False))


_MOST_GROUPS = 20
_MOST_LINES = 14
_MOST_NOTES = 5
_LONGEST = 300


def render_text(results: Results, *, color: bool, width: int = 100) -> str:
    """Renders the results for people at a terminal, each line ended.

    Sentences are folded at `width`; paths, source and objects are not. `color` is True to use ANSI escapes.
    """
    writer = _Writer(styler(color), max(width, 40))
    groups = results.unexpected()
    blocks = [writer.block(group) for group in groups[:_MOST_GROUPS]]
    if len(groups) > _MOST_GROUPS:
        blocks.append([f"… and {number(len(groups) - _MOST_GROUPS)} more (see the report)"])
    if results.expected():
        blocks.append(writer.expected(results))
    if results.bad or results.notes:
        blocks.append(writer.bad(results))
    blocks.append(writer.totals(results))
    return "\n\n".join("\n".join(line.rstrip() for line in block) for block in blocks) + "\n"


def render_concise(results: Results, *, color: bool) -> str:
    """Renders one line for each group, expected ones last, some about skipped items, and one with the totals."""
    style = styler(color)
    lines = []
    for group in (*results.unexpected(), *results.expected()):
        sort = group.sort
        level = "note" if group.expected else "error"
        why = f" (expected: {_truncate(group.expected)})" if group.expected else ""
        lines.append(
            f"{style('strong', _truncate(group.file or sort.source or sort.kind))}: "
            f"{style(level, _truncate(sort.cause))}: "
            f"{number(group.count)} x {_render_location(group)}: {_error(group)}{why}"
        )
    lines += [f"{style('note', 'note')}: {_truncate(note)}" for note in results.limits[:_MOST_NOTES]]
    return "\n".join([*lines, f"{_sum(results)}{', interrupted' if results.interrupted else ''}"]) + "\n"


class _Writer:
    """Lays out blocks of lines."""

    def __init__(self, style: Styler, width: int) -> None:
        self._style = style
        self._width = width

    def block(self, group: Group) -> list[str]:
        """Returns the lines of a group."""
        it = finding(group)
        style, example, sort = self._style, group.example, group.sort
        place = _truncate(group.file or sort.source or sort.kind)
        title = f": {headline(group)}"
        lines = [f"{style('strong', place)}: {style('error', _truncate(sort.cause))}{style('strong', title)}"]
        lines += self._code(it)
        lines += self._remark("where", f"{_render_location(group)}: {_error(group)}")
        if sort.tag:
            lines += self._remark("tag", _truncate(sort.tag))
        lines += self._remark("why", short(visible(example.text), 2 * _LONGEST))
        if options := render_options(group):
            lines += self._remark("options", _truncate(options))
        smallest = f", the smallest of {number(group.count)}" if group.count > 1 else ""
        lacking = f", has no {_truncate(it.field)}" if not it.found and not it.way else ""
        lines += self._remark("object", f"{_truncate(example.place) or 'made for this run'}{smallest}{lacking}")
        lines += self._object(it)
        if example.old is not None:
            lines += self._remark("update", "what changes (- old, + new)")
            lines += [f"      {change.sign} {change.text}" for change in changes(example.old, example.obj, _MOST_LINES)]
        lines += self._answers("handwritten", it.handwritten, example.more)
        lines += self._answers("declarative", it.declarative, example.more)
        return lines

    def _code(self, it: Finding) -> Iterator[str]:
        if not it.code:
            return
        gutter = len(str(it.code[-1].number))
        bar = " " * gutter + self._style("gutter", " |")
        yield bar
        for line in it.code:
            span = Span("", 1, line.start + 1, line.end + 1) if line.blamed else Span("", 1, 1, 1)
            text, indent, carets = excerpt(line.text, span)
            yield f"{self._style('gutter', f'{line.number:>{gutter}} |')} {text}"
            if line.blamed:
                yield f"{bar} {' ' * indent}{self._style('error', '^' * carets)}"
        yield bar

    def _remark(self, name: str, text: str) -> list[str]:
        head = f"  = {name}: "
        folded = textwrap.wrap(text, self._width - len(head), break_long_words=False, break_on_hyphens=False) or [""]
        first = self._style("gutter", "  = ") + self._style("note", name) + f": {folded[0]}"
        return [first, *(" " * len(head) + line for line in folded[1:])]

    def _object(self, it: Finding) -> Iterator[str]:
        what = "the value" if it.found else "missing here"
        for line in yaml_lines(it.group.example.obj, it.way, _MOST_LINES):
            if line.marked:
                yield f"    {self._style('error', '> ' + line.text)}  {self._style('error', f'<-- {what}')}"
            else:
                yield f"      {line.text}"

    def _answers(self, side: str, answers: list[Answer], more: Mapping[str, int]) -> Iterator[str]:
        yield from self._remark(side, "" if answers else "accepts the object")
        for answer in answers:
            sign = ">" if answer.blamed else "=" if answer.shared else "-"
            origin = f" (origin {_truncate(answer.origin)})" if answer.origin else ""
            text = f"{sign} {_truncate(answer.message)}{origin}"
            yield f"    {self._style('error', text) if answer.blamed else text}"
        yield from (f"    {line}" for line in and_more(more.get(side, 0)))

    def expected(self, results: Results) -> list[str]:
        """Returns the expected differences, with their reasons."""
        groups = results.expected()
        lines = [self._style("strong", f"Expected differences: {counted(sum(g.count for g in groups), 'mismatch')}")]
        for group in groups[:_MOST_GROUPS]:
            lines.append(f"  {number(group.count)} x {_render_location(group)}: {_error(group)}")
            lines.append(f"    {_truncate(group.expected)}")
        if len(groups) > _MOST_GROUPS:
            lines.append(f"  … and {number(len(groups) - _MOST_GROUPS)} more (see the report)")
        return lines

    def bad(self, results: Results) -> list[str]:
        """Returns the inputs that could not be compared."""
        lines = [self._style("strong", f"Not compared: {counted(results.bad, 'input')}" if results.bad else "Skipped:")]
        limits = results.limits
        inputs = results.notes[: len(results.notes) - len(limits)]
        for notes, count in ((inputs, results.bad), (limits, len(limits))):
            lines += [f"  {_truncate(note)}" for note in notes[:_MOST_NOTES]]
            if count > _MOST_NOTES:
                lines.append(f"  … and {number(count - _MOST_NOTES)} more")
        return lines

    def totals(self, results: Results) -> list[str]:
        """Returns the numbers at the end of the output."""
        used = sum(1 for rule in results.rules if rule.count)
        lines = []
        if results.interrupted:
            lines.append(self._style("warning", "interrupted: the numbers are those of a part of the input"))
        for (kind, operation), tally in sorted(results.tallies.items()):
            total = tally.agreeing + tally.differing
            share = percent(tally.agreeing, total)
            lines.append(f"{share:>8}  of {number(total):>9} agree: {_truncate(kind)}, {_truncate(operation)}")
        if results.rules:
            never = len(results.rules) - used
            rest = f", {number(never)} never exercised" if never else ""
            lines.append(f"Rules: {number(used)} of {number(len(results.rules))} exercised{rest}.")
        if results.seconds > 0:
            lines.append(
                f"Time: {duration(results.seconds)}, {rate(results.compared, results.seconds)} requests a second "
                f"(handwritten {duration(results.handwritten_seconds)}, "
                f"declarative {duration(results.declarative_seconds)})."
            )
        style = "error" if results.mismatches or results.panics else "strong"
        return [*lines, self._style(style, _sum(results))]


def _sum(results: Results) -> str:
    groups = len(results.unexpected())
    found = f"{counted(results.mismatches, 'mismatch')} in {counted(groups, 'group')}" if groups else "no mismatches"
    parts = [f"{counted(results.compared, 'request')} compared", f"{percent(results.agreeing, results.compared)} agree"]
    parts.append(found)
    if results.expected():
        parts.append(f"{number(sum(group.count for group in results.expected()))} expected")
    if results.panics:
        parts.append(counted(results.panics, "panic"))
    if results.bad:
        parts.append(f"{counted(results.bad, 'input')} not compared")
    return ", ".join(parts if results.compared else parts[:1] + parts[2:])


def _render_location(group: Group) -> str:
    return f"{_truncate(group.sort.kind)}, {_truncate(group.sort.operation)}, {_truncate(group.sort.path)}"


def _error(group: Group) -> str:
    origin = f" ({_truncate(group.sort.origin)})" if group.sort.origin else ""
    return f"{_truncate(group.sort.type)}{origin}"


def _truncate(text: str) -> str:
    return short(visible(text), _LONGEST)
