"""Articles about markers, from the declarations of their catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from validation_gen.commands.explain.article import (
    Article,
    Listing,
    Prose,
    Rows,
    Section,
    article_lines,
    paragraph,
    table,
)
from validation_gen.rules.markers import Argument, Marker, Target, catalogue
from validation_gen.rules.markers.values import Kind

_ITEMS = "kubebuilder:validation:items:"
_OPENAPI = "k8s:validation:"
#: Tables of the page: their subjects, and patterns for names. A marker belongs to the first that matches.
_TABLES = (
    (
        "Resources",
        re.compile(
            r"kubebuilder:(?!validation|pruning|default|example|title|external|skip$).*|(?!validation-gen:validation).*gen.*|res.*"
        ),
    ),
    ("Packages", re.compile(r"groupName|versionName|kubebuilder:skip")),
    ("Presence", re.compile(r"optional|required|kubebuilder:validation:(?:Optional|Required)")),
    ("Lists and maps in Server-Side Apply", re.compile(r"(?:list|map|struct|patch).*")),
    ("openapi-gen", re.compile(rf"{_OPENAPI}.*")),
    ("Schemas", re.compile(r".*")),
)
_INTRODUCTIONS = {
    "openapi-gen": "Values are JSON. Between the prefix and the keyword there can be `items:`, `additionalProperties:` "
    "or `properties:<name>:`, for a part of the value. A rule in the Common Expression Language is several lines with "
    'one number: `+k8s:validation:cel[0]:rule="self > 1"` and `+k8s:validation:cel[0]:message="must be more than 1"`. '
    "A text behind `>` instead of `=` is taken verbatim, and continues in the next line of the same name.",
    "Schemas": "All markers that begin with `kubebuilder:validation:` and apply to both types and fields exist "
    "for the items of a list, too: `+kubebuilder:validation:items:MaxLength=63`.",
}
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


def page() -> Iterator[str]:
    """Yields the lines of the page below its notice."""
    yield from paragraph(
        "Markers of controller-gen and openapi-gen are read, too: for schemas and for resources. Validators check "
        "kinds with markers of validation by their schemas ([kinds with "
        "markers](validators.md#kinds-with-markers)). This page is generated from the declarations that the program "
        "checks markers against; "
        "`validation-gen explain kubebuilder:printcolumn` prints the article about one marker. `+kubebuilder:rbac` and "
        "others for other programs are skipped. Those that begin with `+validation-gen:` are our own, for features "
        "without another marker. A marker is a line comment (`//`) and belongs to the declaration in the line below; "
        "between `/*` and `*/` it is text."
    )
    yield ""
    yield from paragraph(
        "A value is a number, `true`, `false` or a text. A text with a comma, a semicolon or a closing brace needs "
        "quotes or backticks. A list is `a;b` or `{a,b}`, a map `{key: value}`. `:=` is the same as `=`. A repeated "
        "argument is a warning, and the last one counts."
    )
    tables: dict[str, list[tuple[Marker, ...]]] = {heading: [] for heading, _ in _TABLES}
    for name, markers in catalogue().items():
        if not name.startswith(_ITEMS):
            tables[next(heading for heading, pattern in _TABLES if pattern.fullmatch(name))].append(markers)
    for heading in sorted(tables, key=["Schemas", *tables].index):
        yield from ("", f"## {heading}", "")
        if heading in _INTRODUCTIONS:
            yield from (*paragraph(_INTRODUCTIONS[heading]), "")
        rows = [(f"`{_short(m)}`", places(m), m.doc) for markers in tables[heading] for m in markers]
        yield from table(("marker", "applies to", "meaning"), rows)
        for markers in tables[heading]:
            if markers[0].has_names:
                yield from ("", *(f"#{line}" if line.startswith("## ") else line for line in _article(markers)))


def _short(marker: Marker) -> str:
    return f"+{marker.name}:…" if marker.has_names else usage(marker)


def _article(markers: tuple[Marker, ...]) -> Iterator[str]:
    yield from article_lines(about_marker(markers), markers[0].name)
