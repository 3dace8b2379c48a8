"""The section of a tag's article about its errors, with declarations and an object that cause them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from validation_gen.commands.explain.article import Block, Listing, Prose, Rows, Section
from validation_gen.rules.registry import catalogue
from validation_gen.rules.releases import NEWEST
from validation_gen.runtime.words import inflected

HEADING = "Error it gives"
#: Errors of the samples, as validators have given them: `make docs` writes this file (`samples`).
FILE = Path(__file__).with_name("errors.json")


@cache
def errors() -> dict[str, list[list[str]]]:
    """Returns type, origin, level and text of each error, by tag."""
    found: dict[str, list[list[str]]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def error_sections(name: str, target: str | None) -> Iterator[Section]:
    """Yields the section about the errors of a tag, none for a tag without errors."""
    if name in errors():
        yield Section(HEADING, tuple(_blocks(name, target)))


def _blocks(name: str, target: str | None) -> Iterator[Block]:
    refusal = catalogue()[name].refusal
    assert refusal is not None, f"{name} gives errors, and its rule shows none"
    if target not in (None, NEWEST):
        yield Prose(f"In Kubernetes {NEWEST}:")
    yield Listing("go", refusal.go.strip("\n"))
    if refusal.custom:
        yield Listing("python", refusal.custom.strip("\n"), "checks.py")
    for option, state in refusal.options.items():
        yield Prose(f"With the option {option} {'on' if state else 'off'}:")
    if refusal.old:
        yield Listing("json", refusal.old, "old object")
    yield Listing("json", refusal.object, "object")
    given = errors()[name]
    yield Listing("text", "\n".join(text for _, _, _, text in given), inflected("error", len(given)))
    rows = tuple(dict.fromkeys((type, origin or "(none)", level or "(none)") for type, origin, level, _ in given))
    leveled = 3 if any(level for _, _, level, _ in given) else 2
    yield Rows(("type", "origin", "level")[:leveled], tuple(row[:leveled] for row in rows))
