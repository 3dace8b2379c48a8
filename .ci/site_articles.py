"""Reference pages of the site that consist of articles: tags, markers, schemas of tags, and diagnostic codes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from validation_gen.commands.explain.article import article_lines, paragraph, table
from validation_gen.commands.explain.codes import about_code, severity
from validation_gen.commands.explain.markers import about_marker, places, usage
from validation_gen.commands.explain.schemas import (
    ERRORS,
    INTRODUCTION,
    NAME,
    PLACES,
    RELEASES,
    TERMS,
    describe_directives,
    effects,
    find_declared,
    render_form,
)
from validation_gen.commands.explain.tags import about_directive, about_tag, level
from validation_gen.commands.explain.tags import places as places_of_tag
from validation_gen.diagnostics import CODES
from validation_gen.rules import markers
from validation_gen.rules.base import ANY_VALUE, Scope
from validation_gen.rules.differences import GENERAL, GENERAL_IDIOMATIC, OF_ERRORS, Difference, Fidelity, summary
from validation_gen.rules.directives import DIRECTIVES
from validation_gen.rules.markers import Marker
from validation_gen.rules.registry import catalogue
from validation_gen.rules.releases import NEWEST
from validation_gen.rules.spelling import former_names


def pages() -> dict[str, str]:
    """Returns the pages by name."""
    found = {"tags.md": _tags(), "markers.md": _markers(), "schema-mapping.md": _schema_mapping()}
    return {name: "\n".join(lines) + "\n" for name, lines in {**found, "diagnostics.md": _diagnostics()}.items()}


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


def _tags() -> Iterator[str]:
    yield from ("# Tags and directives", "")
    yield from paragraph(
        "All tags by name, generated from the declarations that the program checks tags against. "
        "`validation-gen explain maxItems` prints the article about one tag, `--target 1.35` its meaning in another "
        "release."
    )
    yield ""
    rows = [
        (_link(name), next(iter(rule.history)), level(rule, NEWEST), places_of_tag(rule, short=True), rule.doc)
        for name, rule in catalogue().items()
    ]
    yield from table(("tag", "since", f"in {NEWEST}", "applies to", "meaning"), rows)
    values = ", ".join(scope.value for scope in Scope if scope in ANY_VALUE)
    yield from ("", *paragraph(f"*Any value* means {values}; a tag on a type applies to all its values."), "")
    yield from paragraph("Directives select packages, types and requests, and are not rules:")
    yield from ("", *table(("directive", "meaning"), [(_link(name), d.doc) for name, d in DIRECTIVES.items()]), "")
    yield from paragraph("Former names are accepted, with a warning in later releases:")
    yield ""
    renamed = [(f"`+{name}`", f"{_link(rule.name)}", old.until) for name, (rule, old) in former_names().items()]
    yield from table(("former name", "tag", "up to"), sorted(renamed))
    for rule in catalogue().values():
        yield from ("", *article_lines(about_tag(rule), _short(rule.name)))
    for directive in DIRECTIVES.values():
        yield from ("", *article_lines(about_directive(directive), _short(directive.name)))


def _short(name: str) -> str:
    return name.removeprefix("k8s:")


def _link(name: str) -> str:
    return f"[`{_short(name)}`](#{_short(name).lower()})"


def _markers() -> Iterator[str]:
    yield from ("# Markers", "")
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
    for name, found in markers.catalogue().items():
        if not name.startswith(_ITEMS):
            tables[next(heading for heading, pattern in _TABLES if pattern.fullmatch(name))].append(found)
    for heading in sorted(tables, key=["Schemas", *tables].index):
        yield from ("", f"## {heading}", "")
        if heading in _INTRODUCTIONS:
            yield from (*paragraph(_INTRODUCTIONS[heading]), "")
        rows = [(f"`{_usage(m)}`", places(m), m.doc) for found in tables[heading] for m in found]
        yield from table(("marker", "applies to", "meaning"), rows)
        for found in tables[heading]:
            if found[0].has_names:
                lines = article_lines(about_marker(found), found[0].name)
                yield from ("", *(f"#{line}" if line.startswith("## ") else line for line in lines))


def _usage(marker: Marker) -> str:
    return f"+{marker.name}:…" if marker.has_names else usage(marker)


def _schema_mapping() -> Iterator[str]:
    yield from ("# Schemas of tags", "")
    yield from (*paragraph(INTRODUCTION), "", *paragraph(TERMS), "")
    yield from paragraph(
        "`validation-gen explain minItems` shows the entry of one tag with its reasons, and `validation-gen explain "
        f"{NAME}` all of them."
    )
    yield from ("", "## Tags", "", *table(("tag", "schema", "idiomatic", "exact"), _tag_rows()), "")
    yield from paragraph(
        "The part behind `exact:` is in that form alone, beside or instead of the rest. Directives with an effect on "
        "definitions:"
    )
    rows = [(_link_tag(name), text) for name, text in describe_directives()]
    yield from ("", *table(("directive", "schema"), rows))
    yield from ("", "## Differences of tags")
    for difference, tags in find_declared().items():
        links = ", ".join(_link_tag(tag) for tag in tags)
        yield from ("", *_explained(difference), "", *paragraph(f"Tags: {links}."))
    yield from ("", "## Differences of places", "", *paragraph(PLACES))
    for difference in (*GENERAL, *GENERAL_IDIOMATIC):
        yield from ("", *_explained(difference))
    yield from ("", "## Differences of errors", "", *paragraph(ERRORS))
    for difference in OF_ERRORS:
        yield from ("", *_explained(difference))
    yield from ("", "## Releases", "", *paragraph(RELEASES))


def _tag_rows() -> Iterator[tuple[str, str, str, str]]:
    for name, rule in catalogue().items():
        form = rule.schema
        idiomatic, exact = _verdict(form.idiomatic), _verdict(form.exact)
        yield _link_tag(_short(name)), render_form(form), idiomatic, exact


def _link_tag(tag: str) -> str:
    return f"[`{tag}`](tags.md#{tag.lower()})"


def _explained(difference: Difference) -> Iterator[str]:
    yield f"### {difference.name.capitalize()}"
    yield ""
    prefix = f"*{effects(difference.effects).capitalize()}.* " if difference.effects else ""
    yield from paragraph(prefix + difference.text)


def _verdict(found: tuple[Difference, ...]) -> str:
    """Returns the effects of differences with links to them: `looser: [absent values](#absent-values)`."""
    if not found:
        return Fidelity.EXACT.value
    groups: dict[tuple[Fidelity, ...], list[str]] = {}
    for each in found:
        groups.setdefault(summary((each,)), []).append(f"[{each.name}](#{each.anchor})")
    return "; ".join(f"{effects(group)}: {', '.join(names)}" for group, names in groups.items())


def _diagnostics() -> Iterator[str]:
    yield from ("# Diagnostic codes", "")
    yield from paragraph(
        "All findings by code, with their causes and fixes. `validation-gen explain VG203` prints one article. "
        "Go declarations of an example are in `v1/types.go`, below `package v1`; `validation-gen v1` reports the "
        "finding, unless another command is shown. A code is never reused."
    )
    yield ""
    rows = [(f"[{code}](#{code.lower()})", severity(code), title) for code, title in CODES.items()]
    yield from table(("code", "severity", "finding"), rows)
    for code in CODES:
        yield from ("", *article_lines(about_code(code), code))
