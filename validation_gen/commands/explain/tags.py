"""Articles about tags and directives, from the declarations of the catalogue."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from validation_gen.commands.explain.article import Article, Block, Listing, Prose, Rows, Section
from validation_gen.commands.explain.schemas import schema_section
from validation_gen.rules.base import ANY_VALUE, ArgSpec, Rule, Scope
from validation_gen.rules.directives import Directive
from validation_gen.rules.registry import catalogue
from validation_gen.rules.releases import NEWEST, RELEASES, FormerName, at_least, stability
from validation_gen.runtime.words import inflected
from validation_gen.tags.model import ValueType

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


_PLACEHOLDERS = {
    ValueType.STRING: "<string>",
    ValueType.INT: "<int>",
    ValueType.BOOL: "<bool>",
    ValueType.TAG: "+<tag>",
    ValueType.RAW: "<value>",
}
_TYPES = {ValueType.RAW: "string, int or bool"}


def about_tag(rule: Rule, target: str | None = None) -> Article:
    """Returns the article about a tag; with a target also its state in that release, under its name there."""
    former = rule.former_name(target) if target and stability(rule.history, target) else None
    sections = [
        *([Section(f"Kubernetes {target}", (Prose(status(rule, target)),))] if target else []),
        Section("Usage", (Listing("text", "\n".join(usages(rule, former))),)),
        Section("Applies to", (Prose(places(rule)),)),
    ]
    arguments = tuple(_arguments(rule, former))
    if arguments:
        sections.append(Section("Arguments", (Rows(("name", "type", "", "meaning"), arguments),)))
    if rule.payload:
        required = "" if rule.payload.required else ", optional"
        sections.append(Section("Payload", (Prose(f"{_type(rule.payload.type)}{required}: {rule.payload.doc}"),)))
    example = rule.example_in(target) if target else rule.example
    sections += [
        *error_sections(rule.name, target),
        schema_section(rule),
        Section("Releases", tuple(_releases(rule))),
        Section("Example", (Listing("text", example),)),
    ]
    return Article(f"+{rule.name}", rule.doc, tuple(sections))


def about_directive(directive: Directive) -> Article:
    rows = tuple((f"+{directive.name}{form}", meaning) for form, meaning in directive.usages)
    sections = [Section("Usage", (Rows(("form", "meaning"), rows),)), Section("Applies to", (Prose(directive.places),))]
    if directive.effect:
        sections.append(Section("Effect", (Prose(directive.effect),)))
    if directive.schema:
        sections.append(Section("Schema", (Prose(directive.schema),)))
    return Article(f"+{directive.name}", directive.doc, tuple(sections))


def usages(rule: Rule, former: FormerName | None = None) -> Iterator[str]:
    """Yields all forms of a tag: without arguments, with a positional one, with named ones."""
    name = f"+{former.name if former else rule.name}"
    positional = [spec for spec in rule.args if not spec.name]
    named = [spec for spec in rule.args if spec.name]
    if not rule.one_of and not rule.other_args and not any(spec.required for spec in rule.args):
        yield from _with_payload(rule, name)
    if positional:
        yield from _with_payload(rule, f"{name}({_PLACEHOLDERS[positional[0].type]})")
    if named:
        pairs = ", ".join(f"{_arg_name(spec, former)}: {_PLACEHOLDERS[spec.type]}" for spec in named)
        yield from _with_payload(rule, f"{name}({pairs})")
    if rule.other_args:
        yield from _with_payload(rule, f"{name}(<{rule.other_args.name}>: {_PLACEHOLDERS[rule.other_args.type]}, …)")


def _with_payload(rule: Rule, text: str) -> Iterator[str]:
    if rule.payload is None or not rule.payload.required:
        yield text
    if rule.payload is not None:
        yield f"{text}={_PLACEHOLDERS[rule.payload.type]}"


def _arg_name(spec: ArgSpec, former: FormerName | None) -> str:
    """Returns the name of an argument in a release."""
    olds = [old for old, new in former.args.items() if new == spec.name] if former else []
    return olds[0] if olds else spec.name


def _arguments(rule: Rule, former: FormerName | None) -> Iterator[tuple[str, str, str, str]]:
    others = [rule.other_args] if rule.other_args else []
    for spec in (*rule.args, *others):
        name = _arg_name(spec, former) or "(first)"
        if spec in others:
            name = f"<{name}>"
        need = "required" if spec.required else "optional"
        if spec.name in rule.one_of:
            need = f"required, or {_others(rule, spec, former)}"
        yield name, _type(spec.type), need, spec.doc


def _others(rule: Rule, spec: ArgSpec, former: FormerName | None) -> str:
    alternatives = [other for other in rule.args if other.name in rule.one_of and other is not spec]
    return " or ".join(_arg_name(other, former) or "(first)" for other in alternatives)


def _type(type: ValueType) -> str:
    return _TYPES.get(type, type.value)


def places(rule: Rule, *, short: bool = False) -> str:
    """Lists the scopes of a tag; `short` has "any value" for all scopes but constants."""
    whole = short and rule.scopes >= ANY_VALUE
    left = rule.scopes - ANY_VALUE if whole else rule.scopes
    return ", ".join([*(["any value"] if whole else []), *(scope.value for scope in Scope if scope in left)])


def level(rule: Rule, release: str) -> str:
    found = stability(rule.history, release)
    return found.value if found else "absent"


def status(rule: Rule, target: str) -> str:
    """Describes the state of a tag in one release."""
    if stability(rule.history, target) is None:
        return f"absent; it exists since {next(iter(rule.history))}"
    former = rule.former_name(target)
    parts = [level(rule, target), *([f"called `+{former.name}`"] if former else [])]
    parts += [change.now if change.holds_in(target) else change.before for change in rule.changes]
    return "; ".join(parts)


def renaming(rule: Rule, former: FormerName) -> str:
    """Describes the replacement of a former name."""
    since = RELEASES[RELEASES.index(former.until) + 1]
    arguments = ", ".join(f"`{new}` for `{old}`" for old, new in former.args.items())
    return f"Since {since} `+{former.name}` is called `+{rule.name}`{f', with {arguments}' if arguments else ''}."


def _releases(rule: Rule) -> Iterator[Block]:
    yield Rows(RELEASES, (tuple(level(rule, release) for release in RELEASES),))
    for former in rule.former_names:
        yield Prose(renaming(rule, former))
    for change in rule.changes:
        known_before = not at_least(next(iter(rule.history)), change.release)
        yield Prose(f"Since {change.release}: {change.now}{f'; before: {change.before}' if known_before else ''}.")
