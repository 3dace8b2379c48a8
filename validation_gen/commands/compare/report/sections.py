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
from urllib.parse import quote

from validation_gen.commands.compare.groups import Example, Group
from validation_gen.commands.compare.report.text import Change, Line, changes, is_cut, yaml_lines
from validation_gen.commands.compare.report.wording import (
    BOTH,
    Answer,
    Finding,
    counted,
    finding,
    is_update,
    render_options,
    short,
    visible,
)
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
    line = example.to_request().as_line(1)
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


#: Maximum length of most texts of the page.
LONGEST = 300

#: Style, sign and element of a line of changes, by its sign.
CHANGES = {
    "-": ("removed", "−", "del"),
    "+": ("added", "+", "ins"),
    "…": ("aside", "…", "span"),
    " ": ("same", "", "span"),
}


@dataclass(frozen=True, slots=True)
class Section:
    """One group, with the texts that templates cannot make themselves; unknown texts are empty."""

    place: int
    anchor: str
    it: Finding
    why: Reason
    link: str
    options: str
    caption: str
    object: list[Line]
    cut: bool
    update: str
    changes: list[Change]
    repeat: list[str]


def section(group: Group, place: int, about: Mapping[str, str], lines: int, beside: str | None = None) -> Section:
    """Prepares a group, with its object in about `lines` lines. Links are relative to `beside`, a directory."""
    example, it = group.example, finding(group)
    shown = yaml_lines(example.obj, it.way, lines)
    return Section(
        place=place,
        anchor=f"{'expected' if group.expected else 'group'}-{place}",
        it=it,
        why=reason(group.sort.cause),
        link="" if beside is None else _link(group.file, beside),
        options=render_options(group),
        caption=_caption(it),
        object=shown,
        cut=is_cut(shown),
        update=_update(group),
        changes=changes(example.old, example.obj, lines) if example.old is not None else [],
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


def _caption(it: Finding) -> str:
    count, field = it.group.count, short(it.field, LONGEST)
    smallest = f"The smallest of {counted(count, 'example')}" if count > 1 else "The example"
    if it.way == ():
        return f"{smallest}." if it.found else f"{smallest}, which has no {field}."
    return f"{smallest}, with {field} marked." if it.found else f"{smallest}; {field} is missing where marked."


def _update(group: Group) -> str:
    if not is_update(group):
        return ""
    if group.example.old is None:
        return "The old object is not known."
    if group.example.old == group.example.obj:
        return "The update changes nothing."
    return "What the update changes: − was before, + is new."


def relation(answer: Answer, side: str, other: str) -> tuple[str, str]:
    """Describes the relation of an error to a mismatch of a side, by a sign and in words. `other` is the other side."""
    if answer.blamed and side == BOTH:
        return "≠", f"the {other} side says this differently"
    if answer.blamed:
        return "≠", f"no counterpart on the {other} side"
    return ("=", f"the {other} side says so, too") if answer.shared else ("·", "not what this group is about")
