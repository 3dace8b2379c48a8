"""Keeps the words of code and documents plain: `words.json` has the counts of each room, which may only shrink.

CONTRIBUTING.md has the rule. To lower a count, mend a sentence or a name and write the new number into the table.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.tables import each

ROOT = Path(__file__).parents[1]
LIMITS = json.loads(Path(__file__).with_name("words.json").read_text(encoding="utf-8"))

#: Words that hide who does what. Plain words: report, print, check, return, contain, is at, user, no.
WORDS = re.compile(
    r"\b(?:nobody|whoever|somebody|stands|stood|becomes of|all that|held against"
    r"|(?:is|are|was|were|be|been|being) (?:told|asked|said)|unless said)\b",
    re.IGNORECASE,
)
#: First words of a docstring that begins with a riddle.
OPENINGS = re.compile(r'"""(?:What|Whether|Who|Whom|Whose|Whatever|That|All that|If)\b')
#: Participles as functions, and classes without a noun of the field.
NAMES = re.compile(
    r"^ *(?:async )?def _?(?:told|kept|said|asked|met|went|tried|mended|shown|gone|meant|known|judged|\w+_of|of)\("
    r"|^ *class _?(?:Told|Said|Sayings|Kept|Seen|Wanted|Mended|Made|Looks?|Way|Place|Spot|Try|Turn|Pace|Sink|Pin|Whole"
    r"|Why|Teller|Story|Silence|Manner)\b",
    re.MULTILINE,
)
#: Texts that are counted as plain, with the reason.
EXCEPTIONS = {
    '"owner", "nobody"': "a value of an example",
    "somebody else": "a value of an example",
    "the request stands": "a placeholder of cel-go's grammar",
}


@cache
def _texts(room: str) -> str:
    """Returns the sources of a room as one text, without exceptions."""
    text = "\n".join(file.read_text(encoding="utf-8") for file in _files(room))
    for phrase in EXCEPTIONS:
        text = text.replace(phrase, "")
    return text


def _files(room: str) -> Iterator[Path]:
    if room == "docs":
        yield from (ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"))
        yield from sorted((ROOT / "docs").rglob("*.md"))
    elif room == "templates":
        yield from (path for path in sorted((ROOT / "templates").rglob("*")) if path.is_file())
    else:
        place = ROOT / "validation_gen" / room
        found = [place.with_suffix(".py")] if place.with_suffix(".py").is_file() else sorted(place.rglob("*"))
        yield from (path for path in found if path.suffix in (".py", ".md", ".c", ".h"))


def _counts(room: str) -> dict[str, int]:
    text = _texts(room)
    return {
        "words": len(WORDS.findall(text)),
        "openings": len(OPENINGS.findall(text)),
        "names": len(NAMES.findall(text)),
    }


def test_every_room_has_limits() -> None:
    parts = {path.stem for path in (ROOT / "validation_gen").iterdir() if path.is_dir() or path.suffix == ".py"}
    assert {part for part in parts if not part.startswith("__pycache")} | {"docs", "templates"} == LIMITS.keys()


@each("room", list(LIMITS))
def test_words_are_plain(room: str) -> None:
    found = {kind: n for kind, n in _counts(room).items() if n > LIMITS[room].get(kind, 0)}
    lines = [
        f"{file.relative_to(ROOT)}: {match[0]}"
        for kind, pattern in (("words", WORDS), ("openings", OPENINGS), ("names", NAMES))
        if kind in found
        for file in _files(room)
        for match in pattern.finditer(file.read_text(encoding="utf-8"))
    ]
    assert not found, "\n".join([f"more than tests/words.json allows: {found}", *lines])


def test_the_sum_is_small() -> None:
    assert sum(limits.get("words", 0) for limits in LIMITS.values()) <= 300
    assert sum(limits.get("openings", 0) for limits in LIMITS.values()) <= 250
