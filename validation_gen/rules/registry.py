"""Registry of rules by tag name, and the application of tags in a context.

Rules register themselves with `@register`; the modules of this package with rules are found by listing it, so a new
family only needs a new module.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Iterable

from validation_gen.rules.alternatives import alternative
from validation_gen.rules.base import Context, Lowered, Rule, RuleError
from validation_gen.tags.model import Tag
from validation_gen.tags.suggestions import probable

_rules: dict[str, Rule] = {}


def register(rule: type[Rule]) -> type[Rule]:
    """Adds a rule to the catalogue.

    Raises:
        ValueError: the name is taken. This is a mistake in the catalogue, never of a user.
    """
    if rule.name in _rules:
        raise ValueError(f"tag {rule.name} is registered twice")
    _rules[rule.name] = rule()
    return rule


@functools.cache
def catalogue() -> dict[str, Rule]:
    """Returns all rules by tag name, in byte order of the names."""
    package = importlib.import_module("validation_gen.rules")
    for module in pkgutil.iter_modules(package.__path__):
        if not module.ispkg:  # markers are no rules
            importlib.import_module(f"{package.__name__}.{module.name}")
    return dict(sorted(_rules.items()))


def names_in(target: str) -> list[str]:
    """Returns the names of all tags in a release, for suggestions."""
    return [rule.name_in(target) for rule in catalogue().values()]


def extract(context: Context, tags: Iterable[Tag]) -> Lowered:
    """Applies tags in upstream's order: by the name of the outermost tag, source order within a name.

    Raises:
        RuleError: at the first tag without a meaning here, with the chain of tags in its text.
    """
    result = Lowered()
    for tag in in_order(tags):
        result.add(apply(context, tag))
    return result


def in_order(tags: Iterable[Tag]) -> list[Tag]:
    """Returns tags in the order of their evaluation (tag reference 1.4)."""
    return sorted(tags, key=lambda tag: tag.name.encode())


def apply(context: Context, tag: Tag) -> Lowered:
    """Applies one tag.

    Raises:
        RuleError: the tag is unknown (possible for payloads only), misplaced, mistyped or without a meaning.
    """
    rule = catalogue().get(tag.name)
    if rule is None:
        raise unknown_payload(tag, context.session.target)
    rule.accept(context, tag)
    try:
        return rule.lower(context, tag)
    except RuleError as error:
        if error.code == "VG204" and not error.help:
            error.help = alternative(context.types, context.type, tag)
        raise error.within(tag) from None


def unknown_payload(tag: Tag, target: str) -> RuleError:
    near = probable(tag.name, names_in(target))
    return RuleError(
        f'unknown tag "{tag.name}"',
        code="VG103",
        span=tag.name_span,
        help=f"did you mean +{near}?" if near else "only validation tags can be chained",
    )
