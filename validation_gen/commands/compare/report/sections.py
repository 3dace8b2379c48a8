"""Prepares the section of the page about one group of mismatches.

It explains the cause and its remedy, and has a shell command that repeats a mismatch with the original request.
"""

from __future__ import annotations

import json
import os.path
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from validation_gen.commands.compare.groups import Example, Group, and_more
from validation_gen.commands.compare.report.text import Change, Line, changes, is_cut, yaml_lines
from validation_gen.commands.compare.report.wording import (
    BOTH,
    Answer,
    CodeLine,
    counted,
    finding,
    headline,
    is_update,
    number,
    short,
    visible,
)
from validation_gen.commands.compare.requests import Request
from validation_gen.diagnostics.formats import TAB_STOP
from validation_gen.mismatch.outcome import Cause
from validation_gen.runtime.gotext import go_json

_LONGEST_COMMAND = 4000
#: Specifications of the handwritten side. One from the project's settings is not repeated, as the command finds it
#: there.
_SPEC = re.compile(r"(?:python|exec|webhook):")
_PLACE = re.compile(r"(.+?)(?::[0-9]+)+")


def repeat(group: Group, about: Mapping[str, str]) -> str:
    """Returns the comparison of the example alone, or of its file if it is too long to be shown.

    The head of the results has the arguments; the command is `""` without them.
    """
    if not about.get("paths") or not about.get("handwritten"):
        return ""
    words = ["validation-gen compare", visible(about["paths"])]  # quoted by the author of the head
    if _SPEC.match(about["handwritten"]):
        words.append(f"--handwritten {_word(about['handwritten'])}")
    if about.get("settings"):
        words.append(visible(about["settings"]))
    line = request_line(group.example)
    if line and len(line) <= _LONGEST_COMMAND:
        return f"{' '.join(words)} -f - <<'REQUEST'\n{line}\nREQUEST"
    if place := _PLACE.fullmatch(group.example.place):
        words.append(f"-f {_word(place[1])}")
    elif about.get("seed"):
        words.append(f"--fuzz {_word(about.get('fuzz', ''))} --seed {_word(about['seed'])}")
    else:
        words += [f"-f {_word(name)}" for name in shlex.split(about.get("objects", ""))]
    return " ".join(words)


def request_line(example: Example) -> str:
    """Returns the example as a request of the line protocol, in ASCII; `""` if its type is unknown."""
    if not example.request.get("kind"):
        return ""
    request = Request.of_line(example.request | {"obj": example.obj, "oldObj": example.old, "options": example.options})
    line: dict[str, Any] = request.as_line(1)
    try:
        return json.dumps(line)
    except RecursionError:  # JSON that is nested too deeply for the encoder
        return go_json(line)


def _word(text: str) -> str:
    return shlex.quote(visible(text))


@dataclass(frozen=True, slots=True)
class Reason:
    """A cause in words: `means` is one sentence, `help` is the remedy."""

    means: str
    help: str

    @property
    def full(self) -> str:
        return f"{self.means} {self.help}"


REASONS: dict[Cause, Reason] = {
    Cause.RULE_MISSING: Reason(
        "A handwritten check refuses a value that no tag forbids.",
        "Declare the rule by a tag, or take away the mark that says a tag covers the check.",
    ),
    Cause.RULE_EXTRA: Reason(
        "A tag forbids a value that no handwritten check refuses.",
        "Remove the tag or loosen it, or add the check; objects that are stored already could become invalid.",
    ),
    Cause.RULE_DIFFERS: Reason(
        "A tag declares the rule, but it accepts this value.",
        "Compare the limits and the formats of both: often one counts characters and the other bytes.",
    ),
    Cause.PATH_DIFFERS: Reason(
        "Both sides refuse the value, but they name different paths.",
        "Change the path in the handwritten check, or declare a normalization rule for it.",
    ),
    Cause.TYPE_DIFFERS: Reason(
        "Both sides refuse the value with errors of different types.",
        "Give the handwritten error the type that the tag gives.",
    ),
    Cause.ORIGIN_MISSING: Reason(
        "Both sides refuse the value, but the handwritten error does not say which rule it is.",
        "Add the origin to the handwritten error.",
    ),
    Cause.ORIGIN_DIFFERS: Reason(
        "Both sides refuse the value, but the handwritten error names another rule.",
        "Correct the origin of the handwritten error.",
    ),
    Cause.SHORT_CIRCUITED: Reason(
        "Declarative validation stopped at an earlier error, so it has not come to this one.",
        "Mark the handwritten error as short-circuited, or allow short-circuits in the comparison.",
    ),
    Cause.RATCHETED: Reason(
        "Declarative validation skips what an update leaves as it was; the handwritten check does not.",
        "Let the handwritten check compare with the old object, or expect the difference.",
    ),
    Cause.GATED: Reason(
        "A validation option or a feature gate decides about the rule, and only one side asks it.",
        "Ask the same option on both sides.",
    ),
    Cause.NOT_COVERED: Reason(
        "Both sides report the same error, but the handwritten one is not marked as declared by a tag.",
        "Mark the handwritten error as covered.",
    ),
    Cause.STANDARD: Reason(
        "Standard rules are always enforced and not compared, so a handwritten twin that is marked has no counterpart.",
        "Remove the handwritten check, which only repeats the error.",
    ),
    Cause.PANIC: Reason(
        "Declarative validation failed before it could answer.",
        "Repeat the request to see the failure, and report it if a generated validator is at fault.",
    ),
}


def reason(cause: str) -> Reason:
    """Returns the explanation of a cause; it is empty for a cause of a newer version."""
    return REASONS[Cause(cause)] if cause in {each.value for each in Cause} else Reason("", "")


def slug(cause: str) -> str:
    """Returns a cause as an identifier: `rule-missing`."""
    return re.sub(r"[^a-z0-9]+", "-", cause.lower()).strip("-") or "other"


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
    """Prepares a group, with its object in about `lines` lines. Links are relative to `beside`, a directory."""
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
