"""Resolves names of the command line; reference pages of the site, and the generated table of a page in docs/."""

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
    article_lines,
    paragraph,
    table,
)
from validation_gen.commands.explain.codes import about_code, severity
from validation_gen.commands.explain.markers import about_marker, find_marker
from validation_gen.commands.explain.markers import page as markers_page
from validation_gen.commands.explain.schemas import NAME, TITLE, about_schemas, difference_sections, mapping_page
from validation_gen.commands.explain.tags import about_directive, about_tag, level, places, renaming
from validation_gen.diagnostics import CODES
from validation_gen.rules.base import ANY_VALUE, Rule, Scope
from validation_gen.rules.directives import DIRECTIVES
from validation_gen.rules.formats import FORMATS, Format
from validation_gen.rules.registry import catalogue
from validation_gen.rules.releases import NEWEST, RELEASES, TOO_FEW, Change, stability
from validation_gen.rules.spelling import former_names
from validation_gen.sources.extensions import OwnFormat
from validation_gen.tags.suggestions import probable

_RELEASES = re.compile(r"(?<=^<!-- releases -->\n).*?(?=^<!-- /releases -->$)", re.DOTALL | re.MULTILINE)


def pages() -> dict[str, str]:
    """Returns the pages, by name; `.ci/site_reference.py` adds those about commands."""
    return {
        "tags.md": _text(_tags()),
        "markers.md": _text(_markers()),
        "schema-mapping.md": _text(_schema_mapping()),
        "diagnostics.md": _text(_diagnostics()),
    }


def with_releases(text: str) -> str:
    """Returns a page with its part between `<!-- releases -->` and `<!-- /releases -->` regenerated."""
    return _RELEASES.sub(lambda _: releases(), text)


def releases() -> str:
    """Returns a table of the differences between releases."""
    return _text(_differences())


def _text(lines: Iterator[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _tags() -> Iterator[str]:
    yield from ("# Tags and directives", "")
    yield from paragraph(
        "All tags by name, generated from the declarations that the program checks tags against. "
        "`validation-gen explain maxItems` prints the article about one tag, `--target 1.35` its meaning in another "
        "release."
    )
    yield ""
    rows = [
        (_link(name), next(iter(rule.history)), level(rule, NEWEST), places(rule, short=True), rule.doc)
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


def _markers() -> Iterator[str]:
    yield from ("# Markers", "", *markers_page())


def _schema_mapping() -> Iterator[str]:
    yield from ("# Schemas of tags", "", *mapping_page())


def _diagnostics() -> Iterator[str]:
    yield from ("# Diagnostic codes", "")
    yield from paragraph(
        "All findings by code, with their causes and fixes. `validation-gen explain VG203` prints one article. "
        "Go declarations of an example are in `v1/types.go`, below `package v1`; `validation-gen v1` reports the "
        "finding, unless another command is shown. A code is never reused."
    )
    yield ""
    articles: dict[str, Article] = {code: about_code(code) for code in CODES}
    rows = [(f"[{code}](#{code.lower()})", severity(code), title) for code, title in CODES.items()]
    yield from table(("code", "severity", "finding"), rows)
    for code, article in articles.items():
        yield from ("", *article_lines(article, code))


def _differences() -> Iterator[str]:
    changes: dict[Change, list[str]] = {}
    for rule in catalogue().values():
        for change in rule.changes:
            changes.setdefault(change, []).append(f"`+{rule.name}`")
    rows = [(", ".join(names), f"{c.release}: {c.now}", c.before) for c, names in changes.items()]
    rows.append(("errors of schemas", f"{TOO_FEW.release}: {TOO_FEW.now}", TOO_FEW.before))
    rows.append(("a tag that is newer than the target", "", "an error"))
    for name, (rule, former) in sorted(former_names().items()):
        since = RELEASES[RELEASES.index(former.until) + 1]
        rows.append((f"`+{rule.name}`", f"{since}: this name", f"`+{name}`"))
    yield from table(("topic", "from", "before"), rows)


def _short(name: str) -> str:
    return name.removeprefix("k8s:")


def _link(name: str) -> str:
    return f"[`{_short(name)}`](#{_short(name).lower()})"


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
