"""Explains how schemas represent tags, and how well: a section about one tag, and all as an article and a page.

Everything comes from the declarations of the catalogue. Nothing here knows a schema.
"""

from __future__ import annotations

from collections.abc import Iterator

from validation_gen.commands.explain.article import Article, Prose, Rows, Section
from validation_gen.rules.base import Rule
from validation_gen.rules.differences import (
    GENERAL,
    GENERAL_IDIOMATIC,
    OF_ERRORS,
    Difference,
    Fidelity,
    SchemaForm,
    summary,
)
from validation_gen.rules.directives import DIRECTIVES
from validation_gen.rules.registry import catalogue

#: Name of the article on the command line.
NAME = "schema-mapping"
TITLE = "Schemas of tags, and their differences from validators."

INTRODUCTION = (
    "A schema has one of two forms. `--schema idiomatic`, the default, resembles a handwritten schema: keywords where "
    "they exist, `required` for fields that are always written, and short rules in the Common Expression Language "
    "(CEL). An absent value and a zero value may have different verdicts there. `--schema exact` adds rules in CEL "
    "until an API server accepts the same objects, and the same updates, as the validators."
)
TERMS = (
    "*Exact* means that both give the same verdict. *Stricter* means that the API server refuses some objects that "
    "the validators accept, *looser* that it accepts some that they refuse. *Not expressible* means that the schema "
    "omits the rule. Tests compare both, with the code of an API server, on random objects and updates."
)
PLACES = "These depend on the place of a tag, and apply to any tag there. The tables do not repeat them."
ERRORS = (
    "If both sides refuse an object, the type and the field of an error are the same in the exact form, with the "
    "exceptions below. The idiomatic form promises only the verdict. Both sides check an object with its defaults, and "
    "write the keys of maps in different ways: validators `labels[key]`, keywords `labels.key`. The texts of errors "
    "differ."
)
RELEASES = (
    "The schema has the meaning of the tags in the release of `--target`. Up to 1.35 `+k8s:maxLength` counts bytes, "
    "like `+k8s:maxBytes`. Formats are patterns for any target, although API servers support `k8s-short-name` and "
    "`k8s-long-name` since 1.34: older ones ignore an unknown `format`."
)


def schema_section(rule: Rule) -> Section:
    """Returns the section about a tag in a schema, with the names of the differences."""
    form = rule.schema
    exact = f"{form.form}, and {form.exact_form}" if form.exact_form else form.form
    rows = tuple(
        (manner, effects(summary(found), ", "), f"{text}{_why(found)}")
        for manner, found, text in (("idiomatic", form.idiomatic, form.form), ("exact", form.exact, exact))
    )
    return Section("Schema", (Rows(("form", "verdict", "schema, and differences"), rows),))


def difference_sections(rule: Rule) -> Iterator[Section]:
    """Yields the reasons for the differences of a tag."""
    if found := _find_differences(rule.schema):
        yield Section("Differences", (Rows(("name", "meaning"), _find_names(found)),))


def about_schemas() -> Article:
    """Returns the article with the whole table."""
    tags = tuple((_short(name), *_cells(rule.schema)) for name, rule in catalogue().items())
    return Article(
        NAME,
        TITLE,
        (
            Section("Manners", (Prose(INTRODUCTION), Prose(TERMS))),
            Section("Tags", (Rows(("tag", "idiomatic", "exact", "said as, and differences"), tags),)),
            Section("Directives", (Rows(("name", "meaning"), tuple(describe_directives())),)),
            Section("Differences of tags", (Rows(("name", "meaning"), _find_names(tuple(find_declared()))),)),
            Section(
                "Differences of places",
                (Prose(PLACES), Rows(("name", "meaning"), _find_names((*GENERAL, *GENERAL_IDIOMATIC)))),
            ),
            Section("Differences of errors", (Prose(ERRORS), Rows(("name", "meaning"), _find_names(OF_ERRORS)))),
            Section("Releases", (Prose(RELEASES),)),
        ),
    )


def _cells(form: SchemaForm) -> tuple[str, str, str]:
    """Returns the verdicts in both manners in a word or two, the form of the tag, and the names of the differences."""
    why = _why(_find_differences(form))
    return effects(summary(form.idiomatic), ", "), effects(summary(form.exact), ", "), f"{render_form(form)}{why}"


def _why(found: tuple[Difference, ...]) -> str:
    return f" ({', '.join(each.name for each in found)})" if found else ""


def effects(found: tuple[Fidelity, ...], between: str = " or ") -> str:
    return between.join(effect.value for effect in found)


def render_form(form: SchemaForm) -> str:
    """Returns the form of a tag, and the additional or alternative form of the exact manner."""
    return f"{form.form}; exact: {form.exact_form}" if form.exact_form else form.form


def _find_differences(form: SchemaForm) -> tuple[Difference, ...]:
    """Returns the differences of a tag in either manner, each once."""
    return tuple(dict.fromkeys((*form.idiomatic, *form.exact)))


def find_declared() -> dict[Difference, list[str]]:
    """Returns the differences that tags name, each with the tags."""
    found: dict[Difference, list[str]] = {}
    for name, rule in catalogue().items():
        for difference in _find_differences(rule.schema):
            found.setdefault(difference, []).append(_short(name))
    return dict(sorted(found.items(), key=lambda item: item[0].name))


def describe_directives() -> Iterator[tuple[str, str]]:
    """Yields the directives with an effect on definitions, each with its effect."""
    yield from ((_short(name), directive.schema) for name, directive in DIRECTIVES.items() if directive.schema)


def _find_names(found: tuple[Difference, ...]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (each.name, f"{effects(each.effects).capitalize()}. {each.text}" if each.effects else each.text)
        for each in found
    )


def _short(name: str) -> str:
    return name.removeprefix("k8s:")
