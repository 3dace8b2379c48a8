"""Lines of a comment beside its markers: documentation, and lines that are almost markers.

Documentation is as in controller-gen's schema descriptions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from validation_gen.diagnostics import Diagnostic, Diagnostics, Edit, Fix, Severity
from validation_gen.rules.markers.base import Marker, Target, Use
from validation_gen.rules.markers.catalogue import PREFIX as FORMS
from validation_gen.rules.markers.catalogue import catalogue, find, find_shared_tags, is_anothers, is_ours
from validation_gen.rules.markers.openapi import is_openapi
from validation_gen.rules.markers.parser import find_ignored_word
from validation_gen.runtime.words import likeness, nearest
from validation_gen.tags.model import CommentLine
from validation_gen.tags.parser import RawTag
from validation_gen.tags.suggestions import letters, probable

_OWNER, _OWN = "kubebuilder", "validation-gen:"
#: Names without a colon are common, so they must be more similar.
_ALIKE = 0.85
_LINE = re.compile(
    r"[ \t]*(?P<whole>(?P<sign>\+[+ \t]*)?(?P<name>[A-Za-z][\w.:/-]*(?:[ \t]+[\w.:/-]+)*))"
    r"[ \t]*(?P<equals>:?=)?(?(equals)|$)"
)


@lru_cache(maxsize=4096)
def suggestion(name: str, target: Target) -> str | None:
    """Returns the probable marker for an unknown name.

    `None` for a name of another program, `""` for one of ours without a similar name.
    """
    name = name.rstrip(":")
    if is_anothers(name) or name in find_shared_tags():
        return None
    if ":" in name and (same := _by_letters().get(letters(name))) is not None:
        return same
    names = sorted((known for known in catalogue() if not is_openapi(known)), key=lambda known: not find(known, target))
    if not name.startswith(_OWN):  # others name fields that our own markers describe by schemas
        names = [known for known in names if not known.startswith(FORMS)]
    head, colon, _ = name.partition(":")
    if not colon:
        return _bare(name, names)
    if head != _OWNER and likeness(head.casefold(), _OWNER) > _ALIKE:
        name = f"{_OWNER}:{name.partition(':')[2]}"
        if name in names:
            return name
        if name.rpartition(":")[0] in names:
            return name.rpartition(":")[0]
    if not any(known.startswith(f"{name.partition(':')[0]}:") for known in names):
        return None
    near = _sibling(name, names) or _sibling(name.rpartition(":")[0], [n for n in names if _takes_names(n)])
    if near is None and head == _OWNER:
        near = _cousin(name, names)
    if near is None and head == _OWNER:
        near = _beginning(name)
    if near is None and is_ours(name):
        items = [known for known in names if ":items:" in known]
        near = probable(name, items if ":items:" in name else [n for n in names if n not in items]) or ""
    return near


@dataclass(frozen=True, slots=True)
class Slip:
    """A line that begins almost like a marker. `start` and `end` are the offsets of the text that `meant` replaces."""

    start: int
    end: int
    meant: str


def find_slip(text: str) -> Slip | None:
    """Finds a line that has a marker's letters, but a wrong plus sign, blanks or separators."""
    found = _LINE.match(text) if "+" in text or "ubebuilder" in text else None
    if found is None:
        return None
    sign, name = found["sign"] or "", found["name"]
    if sign == "+" and re.fullmatch(r"[\w.:-]+", name):
        return None  # it is read as a marker, with a name that may be unknown
    if not sign and not name.casefold().startswith(f"{_OWNER}:"):
        return None
    known = _by_letters()
    suggestion = known.get(letters(name))
    if suggestion is None and found["equals"]:
        head, colon, argument = name.rpartition(":")
        suggestion = known.get(letters(head)) if colon else None
        suggestion = f"{suggestion}:{argument.strip()}" if suggestion is not None else None
    return Slip(found.start("whole"), found.end("whole"), f"+{suggestion}") if suggestion is not None else None


def report_slips(lines: Iterable[CommentLine], name: str, diagnostics: Diagnostics) -> None:
    """Warns of lines that are almost markers: no plus sign, two of them, blanks in the name."""
    for line in lines:
        slip = None if line.block or line.behind else find_slip(line.text)
        if slip is not None:
            written = line.text[slip.start : slip.end]
            span = line.span.sub(slip.start, slip.end) if line.literal else line.span
            message = f"{name}: {written} is no marker, so it has no effect"
            fix = Fix(f"write {slip.meant}", (Edit(span, written, slip.meant),)) if line.literal else None
            help = f"did you mean {slip.meant}?"
            diagnostics.add(Diagnostic("VG521", Severity.WARNING, message, span, help, fix=fix))


@cache
def _by_letters() -> dict[str, str]:
    return {letters(name): name for name in catalogue() if not is_openapi(name)}


def _sibling(name: str, names: list[str]) -> str | None:
    """Returns the nearest name that differs only behind the last colon."""
    prefix = name.rpartition(":")[0]
    return probable(name, [known for known in names if known.rpartition(":")[0] == prefix]) if prefix else None


def _cousin(name: str, names: list[str]) -> str | None:
    """Returns the nearest name that differs only in front of the last colon."""
    way, _, last = name.rpartition(":")
    known = {known.rpartition(":")[0]: known for known in names if known.rpartition(":")[2] == last}
    found = nearest(way, known, cutoff=_ALIKE)
    return known[found[0]] if found else None


def _beginning(name: str) -> str | None:
    """Returns the marker at the beginning of a name with a superfluous colon: `kubebuilder:resource::path`."""
    while name := name.rpartition(":")[0].rstrip(":"):
        if name in catalogue():
            return name
    return None


def _bare(name: str, names: list[str]) -> str | None:
    for known in names:
        if ":" not in known and likeness(name.casefold(), known.casefold()) >= _ALIKE:
            return known
    return None


def _takes_names(name: str) -> bool:
    return any(marker.has_names for marker in catalogue()[name])


def documentation(lines: Sequence[CommentLine]) -> str:
    """Returns the text of a doc comment.

    Lines that begin with a plus sign are markers. Repeated empty lines become one. Lines that begin with TODO are no
    documentation, nor is the text below a line of dashes, as in Kubernetes; blocks of code keep both.
    """
    text = _without_markers(lines)
    kept: list[str] = []
    in_code = False
    for line in text:
        if line.startswith(("```", "~~~")):
            in_code = not in_code
        if not in_code:
            if line.startswith("TODO"):
                continue
            if line.startswith("---"):
                break
        kept.append(line)
    return "\n".join(kept)


def _without_markers(lines: Sequence[CommentLine]) -> list[str]:
    """Returns the lines as Go prints them, without trailing comments of the line above."""
    # Lines of block comments may be indented freely, and markers of controller-gen are text there.
    is_block = any(line.block for line in lines)
    found: list[str] = []
    for line in lines:
        if line.text.strip().startswith("+k8s:" if line.block else "+"):
            continue
        text = (line.text.strip() if is_block else line.text.removeprefix(" ")).rstrip()
        if text or (found and found[-1]):
            found.append(text)
    while found and not found[-1]:
        found.pop()
    return found


def own_lines(lines: Sequence[CommentLine]) -> list[CommentLine]:
    """Returns a comment without its lines behind other code, which belong to that code."""
    return [line for line in lines if not line.behind]


def marker_lines(lines: Sequence[CommentLine]) -> list[CommentLine]:
    """Returns the lines of a comment in which markers count: controller-gen ignores those between `/*` and `*/`."""
    return [
        line for line in own_lines(lines) if not line.block or is_for_all(line.text.lstrip(" \t").removeprefix("+"))
    ]


def is_for_all(name: str) -> bool:
    """Returns whether the name is that of a tag, which generators of Kubernetes find in all comments."""
    return name.startswith("k8s:")


def report_quotes(use: Use, name: str, diagnostics: Diagnostics) -> None:
    """Warns of single quotes, which are part of the text in Go. Arguments in CEL may have them."""
    for argument, given in use.arguments.items():
        if argument in ("rule", "messageExpression"):
            continue
        parts = given.value if isinstance(given.value, list) else [given.value]
        for part, span in zip(parts, given.items or (given.span,), strict=False):
            is_bare = isinstance(part, str) and span.end_column - span.column == len(part)
            if is_bare and re.fullmatch(r"'.*'", part):
                message = f"{name}: +{use.name}: the single quotes are a part of the text"
                diagnostics.warning("VG524", message, span, f'write "{part[1:-1]}"')


def report_ignored_word(raw: RawTag, marker: Marker, name: str, diagnostics: Diagnostics) -> None:
    """Warns of a word before `=` of a marker with one value, which controller-gen ignores."""
    span = find_ignored_word(raw, marker)
    if span is not None:
        head = raw.text.partition("=")[0]
        word = head[len(marker.name) :]
        message = f'{name}: +{marker.name} has one value, so "{word.strip(": ")}" before the equals sign has no effect'
        help = f"write +{marker.name}{raw.text[len(head) :]}"
        place = raw.part(len(marker.name) + 1, len(head) + 1)
        fix = Fix(help, (Edit(place, word, ""),)) if raw.literal else None
        diagnostics.add(Diagnostic("VG523", Severity.WARNING, message, span, help, fix=fix))
