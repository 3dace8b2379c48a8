"""Names of tags by release: whether a release knows a tag, and the present form of a former name."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from validation_gen.rules.base import Rule, RuleError
from validation_gen.rules.registry import catalogue
from validation_gen.rules.releases import FormerName, at_least, stability
from validation_gen.tags.model import Tag


@cache
def former_names() -> dict[str, tuple[Rule, FormerName]]:
    """Returns the rule behind every former name."""
    return {former.name: (rule, former) for rule in catalogue().values() for former in rule.former_names}


def is_tag(name: str) -> bool:
    """Returns whether some release has, or had, a tag of this name."""
    return name in catalogue() or name in former_names()


def modern(tag: Tag, target: str) -> Tag:
    """Returns the tag, and every tag chained to it, with today's names.

    Raises:
        RuleError: the target release does not know a tag, or not under this name.
    """
    payload = None if tag.payload is None else modern(tag.payload, target)
    if tag.name in catalogue():
        _check_known(catalogue()[tag.name], tag, target)
        return tag if payload is tag.payload else replace(tag, payload=payload)
    if tag.name in former_names():
        rule, former = former_names()[tag.name]
        if stability(rule.history, target) is None:
            raise _too_early(rule, tag, target)
        args = tuple(replace(arg, name=former.args.get(arg.name, arg.name)) for arg in tag.args)
        return replace(tag, name=rule.name, args=args, payload=payload)
    return replace(tag, payload=payload)  # an unknown name, which is reported when it is applied


def spell_known(tag: Tag, target: str) -> Tag:
    """Returns the tag, and every tag chained to it, in the form of the target release: the inverse of `modern`."""
    payload = None if tag.payload is None else spell_known(tag.payload, target)
    rule = catalogue().get(tag.name)
    if rule is None or rule.name_in(target) == tag.name:
        return replace(tag, payload=payload)
    former = former_names()[rule.name_in(target)][1]
    olds = {new: old for old, new in former.args.items()}
    args = tuple(replace(arg, name=olds.get(arg.name, arg.name)) for arg in tag.args)
    return replace(tag, name=former.name, args=args, payload=payload)


def _check_known(rule: Rule, tag: Tag, target: str) -> None:
    if rule.exists_in(target):
        return
    former = rule.former_name(target)
    if former is not None and stability(rule.history, target) is not None:
        message = f"+{rule.name} is called +{former.name} in Kubernetes {target}"
        raise RuleError(message, code="VG105", span=tag.name_span, help=f"write +{former.name}, or raise --target")
    raise _too_early(rule, tag, target)


def _too_early(rule: Rule, tag: Tag, target: str) -> RuleError:
    since = next(iter(rule.history))
    message = f"+{tag.name} exists since Kubernetes {since}, not in {target}"
    return RuleError(message, code="VG105", span=tag.name_span, help=f"raise --target to {since}")


def find_outdated(tag: Tag, target: str) -> list[tuple[Tag, Rule]]:
    """Returns the former names in a chain that the target release no longer has, each with its rule."""
    found = [] if tag.payload is None else find_outdated(tag.payload, target)
    if tag.name in former_names():
        rule, former = former_names()[tag.name]
        if not at_least(former.until, target):
            found.insert(0, (tag, rule))
    return found
