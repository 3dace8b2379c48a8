"""Registry of rules by tag name, and the application of tags in a context.

Rules register themselves with `@register`; the modules of this package with rules are found by listing it, so a new
family only needs a new module. A tag that does not fit its type gets the replacement named here, unless its rule has
better advice.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Iterable

from validation_gen.rules.base import Context, Rule, RuleError, RuleOutput
from validation_gen.sources.model import List, Map, TypeExpr
from validation_gen.sources.typesystem import TypeSystem
from validation_gen.tags.model import Tag
from validation_gen.tags.suggestions import did_you_mean

#: Equivalent limits of different types.
_LIMITS = {
    "string": ("k8s:minLength", "k8s:maxLength"),
    "list": ("k8s:minItems", "k8s:maxItems"),
    "map": ("k8s:minProperties", "k8s:maxProperties"),
    "number": ("k8s:minimum", "k8s:maximum"),
}
_BYTES = {"k8s:minBytes": "k8s:minLength", "k8s:maxBytes": "k8s:maxLength"}
_OF_LISTS = ("k8s:listType", "k8s:listMapKey", "k8s:unique", "k8s:item")


def alternative(types: TypeSystem, type: TypeExpr, tag: Tag) -> str:
    """Returns a sentence with the equivalent tag for a type, or with the right place of this tag.

    `""` if nothing is known.
    """
    kind = _kind(types, type)
    name = _BYTES.get(tag.name, tag.name)
    for limits in _LIMITS.values():
        if name in limits and kind and (other := _LIMITS[kind][limits.index(name)]) != tag.name:
            return f"for a {kind} there is +{other}"
    if tag.name in ("k8s:eachVal", "k8s:eachKey") and tag.payload is not None:
        if kind == "list":
            return f"a list has no keys; for its items there is +k8s:eachVal=+{tag.payload.name}"
        return f"write what holds for the value itself: +{tag.payload.name}"
    if tag.name in _OF_LISTS:
        return f"remove it, as a {kind} has no items" if kind else "remove it, as only lists have items"
    if kind == "list" and tag.name in ("k8s:format", "k8s:enum"):
        return f"for the items of a list write +k8s:eachVal=+{tag.name}"
    return "`validation-gen explain " + tag.name.removeprefix("k8s:") + "` tells where it can stand"


def _kind(types: TypeSystem, type: TypeExpr) -> str:
    value = types.value(type)
    if isinstance(value, List):
        return "list"
    if isinstance(value, Map):
        return "map"
    if types.is_string(type):
        return "string"
    return "number" if types.is_integer(type) else ""


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


def import_modules(package: str) -> None:
    """Imports all modules of a package, so that their classes register themselves."""
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
        if not module.ispkg:
            importlib.import_module(f"{package}.{module.name}")


@functools.cache
def catalogue() -> dict[str, Rule]:
    """Returns all rules by tag name, in byte order of the names."""
    import_modules("validation_gen.rules")  # markers are a package below, and no rules
    return dict(sorted(_rules.items()))


def names_in(target: str) -> list[str]:
    """Returns the names of all tags in a release, for suggestions."""
    return [rule.name_in(target) for rule in catalogue().values()]


def extract(context: Context, tags: Iterable[Tag]) -> RuleOutput:
    """Applies tags in upstream's order: by the name of the outermost tag, source order within a name.

    Raises:
        RuleError: at the first tag without a meaning here, with the chain of tags in its text.
    """
    result = RuleOutput()
    for tag in in_order(tags):
        result.add(apply(context, tag))
    return result


def in_order(tags: Iterable[Tag]) -> list[Tag]:
    """Returns tags in the order of their evaluation (tag reference 1.4)."""
    return sorted(tags, key=lambda tag: tag.name.encode())


def apply(context: Context, tag: Tag) -> RuleOutput:
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
    help = did_you_mean(tag.name, names_in(target), "only validation tags can be chained", prefix="+")
    return RuleError(f'unknown tag "{tag.name}"', code="VG103", span=tag.name_span, help=help)
