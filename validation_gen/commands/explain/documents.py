"""Reference pages of the site about tags, markers and codes, and the generated table of a page in docs/."""

from __future__ import annotations

import re
from collections.abc import Iterator

from validation_gen.commands.explain.article import Article
from validation_gen.commands.explain.codes import about_code, severity
from validation_gen.commands.explain.markdown import article_lines, paragraph, table
from validation_gen.commands.explain.markers import page as markers_page
from validation_gen.commands.explain.schemas import mapping_page
from validation_gen.commands.explain.tags import about_directive, about_tag, level, places
from validation_gen.diagnostics import CODES
from validation_gen.rules.base import ANY_VALUE, Scope
from validation_gen.rules.directives import DIRECTIVES
from validation_gen.rules.registry import catalogue
from validation_gen.rules.releases import NEWEST, RELEASES, Change
from validation_gen.rules.spelling import former_names

_RELEASES = re.compile(r"(?<=^<!-- releases -->\n).*?(?=^<!-- /releases -->$)", re.DOTALL | re.MULTILINE)


def pages() -> dict[str, str]:
    """Returns the pages, by name; `cli/reference` adds those about commands."""
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
    rows.append(("a tag that is newer than the target", "", "an error"))
    for name, (rule, former) in sorted(former_names().items()):
        since = RELEASES[RELEASES.index(former.until) + 1]
        rows.append((f"`+{rule.name}`", f"{since}: this name", f"`+{name}`"))
    yield from table(("topic", "from", "before"), rows)


def _short(name: str) -> str:
    return name.removeprefix("k8s:")


def _link(name: str) -> str:
    return f"[`{_short(name)}`](#{_short(name).lower()})"
