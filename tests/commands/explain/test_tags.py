"""What is said of a tag agrees with what is checked."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from tests.tables import each
from validation_gen.commands.explain.article import Article, Block, Listing, Prose, Rows
from validation_gen.commands.explain.tags import about_directive, about_tag, places, renaming, status, usages
from validation_gen.diagnostics import Span
from validation_gen.rules.base import Context, Rule, RuleError, Session
from validation_gen.rules.directives import DIRECTIVES
from validation_gen.rules.registry import catalogue
from validation_gen.rules.releases import NEWEST, RELEASES
from validation_gen.sources.model import Builtin
from validation_gen.tags.model import CommentLine, Tag
from validation_gen.tags.parser import extract, parse

each_rule = each("rule", catalogue().values(), ids=list(catalogue()))

_FILLED = {"<string>": '"x"', "<int>": "1", "+<tag>": "+k8s:required", "<key>": "name", "<value>": '"x"', ", …": ""}


def section(article: Article, heading: str) -> tuple[Block, ...]:
    return next((section.blocks for section in article.sections if section.heading == heading), ())


def texts(article: Article, heading: str) -> str:
    found = section(article, heading)
    return "\n".join(block.text for block in found if isinstance(block, Prose | Listing))


def tag(text: str) -> Tag:
    (raw,) = extract([CommentLine(text, Span("usage"))])
    return parse(raw)


def accept(rule: Rule, text: str) -> None:
    place = Context(
        next(iter(rule.scopes)), Builtin("string"), "p", session=cast("Session", SimpleNamespace(target=NEWEST))
    )
    rule.accept(place, tag(text))


@each_rule
def test_every_usage_is_accepted(rule: Rule) -> None:
    lines = list(usages(rule))
    assert lines
    for line in lines:
        text = line
        for placeholder, value in _FILLED.items():
            text = text.replace(placeholder, value)
        accept(rule, text)


@each_rule
def test_a_tag_is_refused_without_what_all_usages_have(rule: Rule) -> None:
    payload = "" if rule.payload is None else "=+k8s:required" if "=+" in rule.example else '="x"'
    if f"+{rule.name}" not in {usage.partition("=")[0] for usage in usages(rule)} and rule.other_args is None:
        with pytest.raises(RuleError, match="missing"):
            accept(rule, f"+{rule.name}{payload}")
    if f"+{rule.name}" not in usages(rule) and rule.payload and rule.payload.required:
        with pytest.raises(RuleError, match="missing"):
            accept(rule, f"+{rule.name}")


@each(
    ("name", "wanted"),
    [
        ("required", ["+k8s:required"]),
        ("maxItems", ["+k8s:maxItems=<int>"]),
        ("neq", ["+k8s:neq=<value>"]),
        ("alpha", ["+k8s:alpha=+<tag>", "+k8s:alpha(since: <string>)=+<tag>"]),
        ("subfield", ["+k8s:subfield(<string>)=+<tag>"]),
        ("item", ["+k8s:item(<key>: <value>, …)=+<tag>"]),
        ("ifMode", ["+k8s:ifMode(<string>)=+<tag>", "+k8s:ifMode(modality: <string>, mode: <string>)=+<tag>"]),
        ("modeDiscriminator", ["+k8s:modeDiscriminator", "+k8s:modeDiscriminator(modality: <string>)"]),
    ],
)
def test_usages(name: str, wanted: list[str]) -> None:
    assert list(usages(catalogue()[f"k8s:{name}"])) == wanted


@each_rule
def test_an_article_says_everything(rule: Rule) -> None:
    article = about_tag(rule)
    assert (article.name, article.title) == (f"+{rule.name}", rule.doc)
    assert texts(article, "Example") == rule.example
    assert texts(article, "Applies to") == places(rule)
    assert bool(section(article, "Arguments")) == bool(rule.args or rule.other_args)
    assert bool(section(article, "Payload")) == bool(rule.payload)
    releases = section(article, "Releases")[0]
    assert isinstance(releases, Rows)
    assert releases.header == RELEASES
    for release, stability in zip(RELEASES, releases.rows[0], strict=True):
        assert status(rule, release).startswith(stability)


@each(
    ("name", "target", "wanted"),
    [
        ("maxLength", "1.34", "absent; it exists since 1.35"),
        ("maxLength", "1.35", "Beta; counts bytes"),
        ("maxLength", "1.36", "Beta; counts characters"),
        ("enum", "1.36", "Stable; an undefined option counts as off"),
        ("ifEnabled", "1.34", "Alpha; called `+k8s:ifOptionEnabled`; an undefined option counts as off"),
        ("ifEnabled", NEWEST, "Stable; an undefined option is an internal error"),
        ("ifMode", "1.35", "absent; it exists since 1.36"),
        ("ifMode", "1.36", "Alpha; called `+k8s:member`"),
        ("ifMode", "1.37", "Stable"),
    ],
)
def test_status(name: str, target: str, wanted: str) -> None:
    assert status(catalogue()[f"k8s:{name}"], target) == wanted


@each_rule
def test_changes_come_when_the_tag_is_there(rule: Rule) -> None:
    since = next(iter(rule.history))
    releases = [change.release for change in rule.changes]
    assert all(RELEASES.index(since) <= RELEASES.index(release) for release in releases)
    assert releases == sorted(releases, key=RELEASES.index)


def test_a_former_name_is_used_for_the_releases_that_have_it() -> None:
    article = about_tag(catalogue()["k8s:ifMode"], "1.36")
    assert texts(article, "Usage").startswith("+k8s:member(<string>)=+<tag>\n+k8s:member(union: <string>, value: ")
    assert texts(article, "Example") == '+k8s:member("Static")=+k8s:required'
    (arguments,) = section(article, "Arguments")
    assert isinstance(arguments, Rows)
    assert [row[0] for row in arguments.rows] == ["(first)", "union", "value"]
    assert "member" not in texts(about_tag(catalogue()["k8s:ifMode"], "1.35"), "Usage"), "1.35 has neither name"


def test_a_renaming_names_the_arguments_that_have_another_name() -> None:
    rule = catalogue()["k8s:modeDiscriminator"]
    wanted = "Since 1.37 `+k8s:discriminator` is called `+k8s:modeDiscriminator`, with `modality` for `union`."
    assert renaming(rule, rule.former_names[0]) == wanted


@each("name", DIRECTIVES)
def test_directives(name: str) -> None:
    directive = DIRECTIVES[name]
    assert directive.name == name
    assert directive.doc.endswith(".")
    article = about_directive(directive)
    assert article.name == f"+{name}"
    (usage,) = section(article, "Usage")
    assert isinstance(usage, Rows)
    assert all(row[0].startswith(f"+{name}") for row in usage.rows)
