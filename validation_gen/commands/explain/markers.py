"""Articles about markers, from the declarations of their catalogue."""

from __future__ import annotations

import re
from collections.abc import Sequence

from validation_gen.commands.explain.article import (
    Article,
    Listing,
    Prose,
    Rows,
    Section,
)
from validation_gen.rules.markers import Argument, Marker, Target, catalogue
from validation_gen.rules.markers.values import Kind

_LONG = 80
_PLACEHOLDERS = {
    Kind.INTEGER: "<int>",
    Kind.NUMBER: "<number>",
    Kind.STRING: "<text>",
    Kind.BOOL: "<bool>",
    Kind.ANY: "<value>",
    Kind.LIST: "<a;b;…>",
    Kind.REST: "<JSON>",
}


def find_marker(name: str) -> tuple[Marker, ...]:
    """Returns the markers of a name, or of a whole line; none, if it is unknown."""
    head = re.split(r"[=\s]", name, maxsplit=1)[0].removeprefix("+").rstrip(":")
    return catalogue().get(head) or catalogue().get(head.rpartition(":")[0], ())


def about_marker(markers: Sequence[Marker]) -> Article:
    """Returns the article about the markers of one name, each of which has other targets."""
    first = markers[0]
    sections = [Section("Usage", (Listing("text", usage(first)),))]
    for marker in markers:
        doc = "" if marker is first else f": {marker.doc}"
        sections.append(Section("Applies to", (Prose(f"{places(marker)}{doc}"),)))
    arguments = tuple(
        (a.name, _type(a), "required" if a.required else "optional", a.doc) for a in first.arguments if a.name
    )
    if arguments:
        sections.append(Section("Arguments", (Rows(("name", "type", "", "meaning"), arguments),)))
    elif first.arguments and first.arguments[0].doc:
        sections.append(Section("Value", (Prose(first.arguments[0].doc),)))
    sections.append(Section("Example", (Listing("text", first.example),)))
    return Article(f"+{first.name}", first.doc, tuple(sections))


def usage(marker: Marker) -> str:
    """Returns the syntax of a marker."""
    if not marker.arguments:
        return f"+{marker.name}"
    if not marker.has_names:
        value = f"={_placeholder(marker.arguments[0])}"
        return f"+{marker.name}{value if marker.arguments[0].required else f'[{value}]'}"
    needed = ",".join(f"{a.name}={_placeholder(a)}" for a in marker.arguments if a.required)
    further = ",".join(f"{a.name}={_placeholder(a)}" for a in marker.arguments if not a.required)
    if len(needed) + len(further) > _LONG:
        further = "…"
    if needed and further:
        return f"+{marker.name}:{needed}[,{further}]"
    return f"+{marker.name}:{needed}" if needed else f"+{marker.name}[:{further}]"


def places(marker: Marker) -> str:
    return ", ".join(target.value for target in Target if target in marker.targets)


def _placeholder(argument: Argument) -> str:
    return "|".join(argument.choices) if len(argument.choices) in (2, 3) else _PLACEHOLDERS[argument.type.kind]


def _type(argument: Argument) -> str:
    return ", ".join(argument.choices) if argument.choices else str(argument.type)
