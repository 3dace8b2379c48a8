"""Prepares the section of the page about one group of mismatches."""

from __future__ import annotations

import os.path
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from validation_gen.diagnostics.formats import TAB_STOP
from validation_gen.uses.compare.answers import and_more
from validation_gen.uses.compare.groups import Example, Group
from validation_gen.uses.compare.report.findings import BOTH, Answer, CodeLine, finding, headline, is_update
from validation_gen.uses.compare.report.objects import Change, Line, changes, is_cut, yaml_lines
from validation_gen.uses.compare.report.reasons import reason
from validation_gen.uses.compare.report.repeat import repeat
from validation_gen.uses.compare.report.wording import counted, number, short

_LONGEST = 300
_LONGEST_LINE = 400


@dataclass(frozen=True, slots=True)
class Code:
    """A line of the source in three parts; the middle one is to blame."""

    number: int
    before: str
    marked: str
    after: str


@dataclass(frozen=True, slots=True)
class SideAnswer:
    """One error of a side. `sign` and `note` describe its relation to the mismatch."""

    sign: str
    message: str
    traits: str
    note: str
    blamed: bool


@dataclass(frozen=True, slots=True)
class SideAnswers:
    """All errors of one side; none if it accepts the request."""

    name: str
    answers: list[SideAnswer]
    more: str


@dataclass(frozen=True, slots=True)
class ObjectRow:
    """A line of YAML, without its indentation."""

    indent: str
    text: str
    marked: bool
    aside: bool


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """A line of an update's changes: its sign, the style, and the name of an element."""

    kind: str
    sign: str
    element: str
    indent: str
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """One group. Texts are shortened for display; unknown ones are empty."""

    place: int
    anchor: str
    count: int
    shown: str
    headline: str
    kind: str
    operation: str
    side: str
    cause: str
    path: str
    error: str
    tag: str
    source: str
    link: str
    text: str
    message: str
    means: str
    help: str
    expected: str
    options: str
    found_at: str
    caption: str
    code: list[Code]
    object: list[ObjectRow]
    cut: bool
    update: str
    changes: list[ChangeRow]
    sides: list[SideAnswers]
    repeat: list[str]


def section(group: Group, place: int, about: Mapping[str, str], lines: int, beside: str | None = None) -> Section:
    """Prepares a group, the object in about so many lines. Links start in the directory `beside`, if there is one."""
    sort, example, it = group.sort, group.example, finding(group)
    shown = yaml_lines(example.obj, it.way, lines)
    origin = f", origin {sort.origin}" if sort.origin else ""
    why = reason(sort.cause)
    return Section(
        place=place,
        anchor=f"{'expected' if group.expected else 'group'}-{place}",
        count=group.count,
        shown=number(group.count),
        headline=f"{number(group.count)} {headline(group)}",
        kind=_cut(sort.kind),
        operation=_cut(sort.operation),
        side=sort.side,
        cause=_cut(sort.cause),
        path=_cut(sort.path),
        error=_cut(f"{sort.type}{origin}"),
        tag=_cut(sort.tag),
        source=_cut(sort.source),
        link="" if beside is None else _link(group.file, beside),
        text=short(example.text, 2 * _LONGEST),
        message=short(example.message, 2 * _LONGEST),
        means=why.means,
        help=why.help,
        expected=short(group.expected, 2 * _LONGEST),
        options=_cut(", ".join(f"{name}={'on' if on else 'off'}" for name, on in sorted(example.options.items()))),
        found_at=_cut(example.place) or "made for this run",
        caption=_caption(group, it.field, it.way != (), found=it.found),
        code=[_code(line) for line in it.code],
        object=[_row(line) for line in shown],
        cut=is_cut(shown),
        update=_update(group),
        changes=[_change(each) for each in changes(example.old, example.obj, lines)] if example.old is not None else [],
        sides=[
            _side("Handwritten", [_answer(answer, sort.side, "declarative") for answer in it.handwritten], example),
            _side("Declarative", [_answer(answer, sort.side, "handwritten") for answer in it.declarative], example),
        ],
        repeat=repeat(group, about).splitlines(),
    )


def _link(position: str, beside: str) -> str:
    """Returns a relative URL from a directory to a position such as `apis/v1/types.go:12:5`."""
    file, _, line = position.rpartition(":")[0].rpartition(":")
    if not file:
        return ""
    try:
        way = os.path.relpath(file, beside)
    except ValueError:  # on another drive
        return ""
    return f"{quote(way.replace(os.sep, '/'), errors='replace')}#L{line}"


def _caption(group: Group, field: str, has_way: bool, *, found: bool) -> str:
    smallest = f"The smallest of {counted(group.count, 'example')}" if group.count > 1 else "The example"
    if not has_way:
        return f"{smallest}." if found else f"{smallest}, which has no {_cut(field)}."
    return f"{smallest}, with {_cut(field)} marked." if found else f"{smallest}; {_cut(field)} is missing where marked."


def _update(group: Group) -> str:
    if not is_update(group):
        return ""
    if group.example.old is None:
        return "The old object is not known."
    if group.example.old == group.example.obj:
        return "The update changes nothing."
    return "What the update changes: − was before, + is new."


def _code(line: CodeLine) -> Code:
    parts = (line.text[: line.start], line.text[line.start : line.end], line.text[line.end :])
    if not line.blamed:
        parts = (line.text, "", "")
    return Code(line.number, *(short(part.expandtabs(TAB_STOP), _LONGEST_LINE) for part in parts))


def _row(line: Line) -> ObjectRow:
    return ObjectRow(*_split(line.text), line.marked, line.aside)


_CHANGES = {"-": ("removed", "−", "del"), "+": ("added", "+", "ins"), "…": ("aside", "…", "span")}


def _change(change: Change) -> ChangeRow:
    return ChangeRow(*_CHANGES.get(change.sign, ("same", "", "span")), *_split(change.text))


def _split(text: str) -> tuple[str, str]:
    """Splits a line into its indentation and the rest."""
    rest = text.lstrip(" ")
    return text[: len(text) - len(rest)], short(rest, _LONGEST_LINE)


def _side(name: str, answers: list[SideAnswer], example: Example) -> SideAnswers:
    return SideAnswers(name, answers, "".join(and_more(example.more.get(name.lower(), 0))))


def _answer(answer: Answer, side: str, other: str) -> SideAnswer:
    traits = f"origin {answer.origin}" if answer.origin else ""
    if answer.blamed and side == BOTH:
        sign, note = "≠", f"the {other} side says this differently"
    elif answer.blamed:
        sign, note = "≠", f"no counterpart on the {other} side"
    elif answer.shared:
        sign, note = "=", f"the {other} side says so, too"
    else:
        sign, note = "·", "not what this group is about"
    return SideAnswer(sign, short(answer.message, 2 * _LONGEST), _cut(traits), note, answer.blamed)


def _cut(text: str) -> str:
    return short(text, _LONGEST)
