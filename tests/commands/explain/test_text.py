from __future__ import annotations

import re

import pytest

from tests.tables import each
from validation_gen.commands.explain import documents, schemas
from validation_gen.commands.explain.article import (
    Article,
    Listing,
    Prose,
    Rows,
    Section,
    article_lines,
    article_text,
    sections_text,
    wrap,
)
from validation_gen.diagnostics import CODES
from validation_gen.diagnostics.formats import styler
from validation_gen.rules.directives import DIRECTIVES
from validation_gen.rules.registry import catalogue
from validation_gen.rules.releases import NEWEST
from validation_gen.rules.spelling import former_names

PLAIN, COLORED = styler(False), styler(True)
NAMES = [*catalogue(), *DIRECTIVES, *former_names(), *CODES, schemas.NAME]

ARTICLE = Article(
    "+k8s:thing",
    "Says a thing.",
    (
        Section("Prose", (Prose("one two `three four` five"),)),
        Section("Rows", (Rows(("name", "meaning"), (("a", "first of all"), ("long", "the second <b>|"))),)),
        Section("Table", (Rows(("1.36", "1.37"), (("Beta", "Stable"),)), Prose("after"))),
        Section("Code", (Listing("go", "type A struct {\n\tB int\n}", "v1/a.go"), Listing("console", "$ true"))),
    ),
)


def test_layout() -> None:
    assert article_text(ARTICLE, PLAIN, 26) == (
        "+k8s:thing: Says a thing.\n\n"
        "Prose\n  one two `three four`\n  five\n\n"
        "Rows\n  a     first of all\n  long  the second <b>|\n\n"
        "Table\n  1.36  1.37\n  Beta  Stable\n  after\n\n"
        "Code\n  v1/a.go:\n  type A struct {\n      B int\n  }\n\n  $ true\n"
    )


def test_the_last_column_is_broken_where_there_is_room() -> None:
    section = Section("S", (Rows(("name", "meaning"), (("word", "one two three four five six seven"),)),))
    assert sections_text([section], PLAIN, 30) == "S\n  word  one two three four\n        five six seven\n"
    assert sections_text([section], PLAIN, 20) == "S\n  word  one two three four five six seven\n"
    assert sections_text([section], PLAIN) == "S\n  word  one two three four five six seven\n"


def test_colours_add_nothing_else() -> None:
    colored = article_text(ARTICLE, COLORED, 100)
    assert "\x1b[1m+k8s:thing\x1b[0m: Says" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == article_text(ARTICLE, PLAIN, 100)


def test_markdown() -> None:
    assert "\n".join(article_lines(ARTICLE, "thing")) == (
        "## thing\n\nSays a thing.\n\n"
        "**Prose:** one two `three four` five\n\n"
        "**Rows:**\n\n| Name | Meaning |\n|---|---|\n| `a` | first of all |\n| `long` | the second &lt;b>\\| |\n\n"
        "**Table:**\n\n| 1.36 | 1.37 |\n|---|---|\n| Beta | Stable |\n\nafter\n\n"
        "**Code:**\n\n`v1/a.go`:\n\n```go\ntype A struct {\n\tB int\n}\n```\n\n```console\n$ true\n```"
    )


def test_wrapping_leaves_words_whole() -> None:
    assert wrap("", 10) == [""]
    assert wrap("a-long-word-with-dashes", 10) == ["a-long-word-with-dashes"]
    assert wrap("say `a b c` now", 8) == ["say", "`a b c`", "now"]


@each("name", NAMES)
def test_every_name_is_explained(name: str) -> None:
    article = documents.explain(name, NEWEST)
    assert article is not None
    assert all(section.blocks for section in article.sections)
    text = article_text(article, PLAIN, 100)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert not re.search(r"[ \t]\n|\n\n\n\n", text)
    markdown = "\n".join(article_lines(article, name))
    assert markdown.count("```") % 2 == 0


@each(
    ("name", "wanted"),
    [
        ("maxItems", "+k8s:maxItems"),
        ("k8s:maxItems", "+k8s:maxItems"),
        ("+k8s:maxItems", "+k8s:maxItems"),
        ("+k8s:maxItems=16", "+k8s:maxItems"),
        ("k8s-short-name", "+k8s:format"),
        ("+k8s:format=k8s-short-name", "+k8s:format"),
        ('+k8s:item(type: "A")=+k8s:required', "+k8s:item"),
        ("member", "+k8s:ifMode"),
        ("validation-gen", "+k8s:validation-gen"),
        ("VG203", "VG203"),
        ("vg203", "VG203"),
        ("Vg403", "VG403"),
    ],
)
def test_names(name: str, wanted: str) -> None:
    article = documents.explain(name, NEWEST)
    assert article is not None
    assert article.name == wanted


@each("name", ["", "+", "k8s:", "maxitems", "VG999", "VG20", "k8s:k8s:maxItems", "=", "\x1b[31m"])
def test_other_names_are_unknown(name: str) -> None:
    assert documents.explain(name, NEWEST) is None
    assert documents.suggestion(name)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("maxitems", "did you mean maxItems?"),
        ("+k8s:maxLenght", "did you mean maxLength?"),
        ("isSubresorce", "did you mean isSubresource?"),
        ("VG999", "`validation-gen explain` lists all tags and codes"),
        ("qqq", "`validation-gen explain` lists all tags and codes"),
    ],
)
def test_suggestions(name: str, wanted: str) -> None:
    assert documents.suggestion(name) == wanted


def test_the_index_names_everything_once() -> None:
    text = sections_text(documents.index(NEWEST), PLAIN)
    named = re.findall(r"^  (\S+)  ", text, re.M)
    assert sorted(named) == sorted(name.removeprefix("k8s:") for name in NAMES)
