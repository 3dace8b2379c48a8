"""Resolves names of the command line to articles, and lists all names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType

from validation_gen.commands.explain.article import (
    Article,
    Listing,
    Prose,
    Rows,
    Section,
)
from validation_gen.commands.explain.codes import about_code
from validation_gen.commands.explain.markers import about_marker, find_marker
from validation_gen.commands.explain.schemas import NAME, TITLE, about_schemas, difference_sections
from validation_gen.commands.explain.tags import about_directive, about_tag, renaming
from validation_gen.diagnostics import CODES
from validation_gen.rules.base import Rule
from validation_gen.rules.directives import DIRECTIVES
from validation_gen.rules.formats import FORMATS, Format
from validation_gen.rules.registry import catalogue
from validation_gen.rules.releases import stability
from validation_gen.rules.spelling import former_names
from validation_gen.sources.extensions import OwnFormat
from validation_gen.tags.suggestions import probable

_PREFIX = "k8s:"


def is_code(name: str) -> bool:
    """Returns whether a name is a code of a diagnostic, in any case."""
    return name.upper() in CODES


def explain(name: str, target: str, formats: Mapping[str, OwnFormat] = MappingProxyType({})) -> Article | None:
    """Returns the article about a code, a tag or directive (with or without prefix), a marker, or a format.

    Names of built-in formats return the article about the tag, names of a project's formats one about the format. There
    is also an article about the schemas of all tags.

    It ignores the text after the name, so that users can paste a line of source. `None` for an unknown name.
    """
    if is_code(name):
        return about_code(name.upper())
    tag = _PREFIX + re.split(r"[(=\s]", name, maxsplit=1)[0].removeprefix("+").removeprefix(_PREFIX)
    if name == NAME:
        return about_schemas()
    own = formats.get(name.removeprefix("+k8s:format=").strip('"'))
    if own is not None:
        return _about_format(own)
    if name in FORMATS:
        tag = Format.name
    if tag in catalogue():
        article = _whole(catalogue()[tag], target)
        if tag == Format.name and formats:
            rows = tuple((each.name, each.docs) for each in formats.values())
            section = Section("Formats of the project", (Rows(("name", "description"), rows),))
            article = Article(article.name, article.title, (section, *article.sections))
        return article
    if tag in DIRECTIVES:
        return about_directive(DIRECTIVES[tag])
    if tag in former_names():
        rule, former = former_names()[tag]
        article = _whole(rule, target)
        renamed = Section("Renamed", (Prose(renaming(rule, former)),))
        return Article(article.name, article.title, (renamed, *article.sections))
    markers = find_marker(name)
    return about_marker(markers) if markers else None


def _about_format(own: OwnFormat) -> Article:
    texts = (("Texts that match", own.valid), ("Texts that do not match", own.invalid))
    return Article(
        own.name,
        own.docs,
        (
            Section("Tag", (Listing("go", f"+k8s:format={own.name}"),)),
            Section("Pattern", (Listing("text", own.pattern),)),
            Section("Error", (Prose(f"FieldValueInvalid ({own.origin}): {own.message}"),)),
            *(Section(title, (Listing("text", "\n".join(s.text for s in some)),)) for title, some in texts if some),
            Section("Declared", (Prose(f"at {own.span}"),)),
        ),
    )


def _whole(rule: Rule, target: str) -> Article:
    """Returns an article about a tag with the differences of its schema."""
    article = about_tag(rule, target)
    return Article(article.name, article.title, (*article.sections, *difference_sections(rule)))


def suggestion(name: str, formats: Collection[str] = ()) -> str:
    """Suggests a replacement for an unknown name. `formats` are those of a project."""
    if not re.fullmatch(r"vg\w*\d", name, re.I):  # every code is similar to some other, so similarity is meaningless
        near = probable(name, [*catalogue(), *DIRECTIVES, *former_names(), NAME, *formats])
        if near:
            return f"did you mean {near.removeprefix(_PREFIX)}?"
    return "`validation-gen explain` lists all tags and codes"


def index(target: str) -> Iterator[Section]:
    """Yields all names with short descriptions; the tags are those of a release, under its names."""
    known = {rule.name_in(target): rule for rule in catalogue().values() if stability(rule.history, target)}
    tags = [(name.removeprefix(_PREFIX), rule.doc) for name, rule in sorted(known.items())]
    directives = [(name.removeprefix(_PREFIX), directive.doc) for name, directive in DIRECTIVES.items()]
    former = [
        (name.removeprefix(_PREFIX), renaming(rule, old))
        for name, (rule, old) in former_names().items()
        if rule.name_in(target) in known and name not in known
    ]
    for heading, rows in (
        (f"Tags of Kubernetes {target}", tags),
        ("Former names", former),
        ("Directives", directives),
        ("Codes", list(CODES.items())),
        ("Tables", [(NAME, TITLE)]),
    ):
        if rows:
            yield Section(heading, (Rows(("name", "meaning"), tuple(rows)),))
