"""Corrects the text of a tag: names, syntax, quotes, and former names of tags.

A text comes without its plus sign. All mistakes of a line are corrected at once, as one often hides the next.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from validation_gen.diagnostics import Span
from validation_gen.rules.base import Rule
from validation_gen.rules.directives import DIRECTIVES
from validation_gen.rules.registry import catalogue, names_in
from validation_gen.rules.releases import FormerName, at_least
from validation_gen.rules.spelling import former_names, is_tag
from validation_gen.tags.model import Arg, Tag, ValueType
from validation_gen.tags.parser import RawTag, TagSyntaxError, parse
from validation_gen.tags.suggestions import certain, quoted

_STRAY = re.compile(r"k8s:[ \t]+(?=[^\W\d])")
_NAME = re.compile(r"[^\W\d][\w.:-]*")
_NAMED = re.compile(r"[^:]*:\s*")
_MOST_SLIPS = 10
_LEVELS = ("k8s:alpha", "k8s:beta")
#: Values that may lose their quotes.
_BARE = {ValueType.INT: re.compile(r"[+-]?(?:0|[1-9]\d{0,17})"), ValueType.BOOL: re.compile("true|false")}

#: A range of a text, which begins with the plus sign, and its replacement.
_Change = tuple[Span, str]


def corrected(text: str, target: str) -> str | None:
    """Returns the intended text, `None` if it is ambiguous."""
    text = _STRAY.sub("k8s:", text, count=1)
    name = _NAME.match(text)
    if name is None:
        return None
    if not is_tag(name[0]):
        meant = certain(name[0], [*names_in(target), *DIRECTIVES])
        if meant is None:
            return None
        text = f"{meant}{text[name.end() :]}"
        if meant in DIRECTIVES:  # which have their own grammar
            return text
    quotes = False
    for _ in range(_MOST_SLIPS):
        try:
            tag = _parsed(text)
        except TagSyntaxError as error:
            if error.mended is None:
                return None
            text, quotes = error.mended, quotes or error.help.startswith("quote the value")
        else:
            return None if quotes and _is_misfit(tag) else _changed(text, tag, target)
    return None


def _is_misfit(tag: Tag) -> bool:
    """Returns whether a text is the value of a tag that takes a number, or no value."""
    while tag.payload is not None:
        tag = tag.payload
    rule = catalogue().get(tag.name)
    wanted = rule.payload.type if rule and rule.payload else ValueType.NONE
    return rule is not None and tag.value_type is ValueType.STRING and wanted in (ValueType.INT, ValueType.NONE)


def levels_first(text: str) -> str | None:
    """Returns the text with its only level moved to the front."""
    try:
        tag = _parsed(text)
    except TagSyntaxError:
        return None
    chain = list(_chain(tag))
    starts = [link.span.column for link in chain]
    parts = [f"+{text}"[start:end] for start, end in zip(starts, [*starts[1:], None], strict=True)]
    places = [place for place, link in enumerate(chain) if link.name in _LEVELS]
    if len(places) != 1 or places[0] in (0, len(chain) - 1):
        return None
    return "".join([parts.pop(places[0]), *parts])[1:]


def _parsed(text: str) -> Tag:
    return parse(RawTag("", text, Span("", 1, 0, len(text) + 1)))


def _chain(tag: Tag | None) -> Iterator[Tag]:
    while tag is not None:
        yield tag
        tag = tag.payload


def _changed(text: str, tag: Tag, target: str) -> str | None:
    """The text with names that are known, and with quotes where they belong."""
    changes: list[_Change] = []
    for link in _chain(tag):
        name = link.name
        if not is_tag(name):
            meant = certain(name, names_in(target))
            if meant is None:
                return None
            changes.append((link.name_span, meant))
            name = meant
        if name in former_names():
            rule, former = former_names()[name]
            if not at_least(former.until, target):
                changes.append((link.name_span, rule.name))
                changes += _renamed(link.args, former)
        else:
            changes += _of_rule(f"+{text}", link, catalogue()[name], target)
    whole = f"+{text}"
    for span, new in sorted(changes, reverse=True):
        whole = f"{whole[: span.column]}{new}{whole[span.end_column :]}"
    return whole[1:]


def _renamed(args: tuple[Arg, ...], former: FormerName) -> Iterator[_Change]:
    for arg in args:
        if arg.name in former.args:
            yield arg.span.sub(0, len(arg.name)), former.args[arg.name]


def _of_rule(whole: str, link: Tag, rule: Rule, target: str) -> Iterator[_Change]:
    """Former names of arguments beside the present name of the tag, and quotes."""
    known = {spec.name: spec.type for spec in rule.args}
    if rule.exists_in(target) and rule.other_args is None:
        for former in rule.former_names:
            yield from _renamed(tuple(arg for arg in link.args if arg.name not in known), former)
    for arg in link.args:
        if arg.name in known:
            start = arg.span.column
            if arg.name and (head := _NAMED.match(whole, start)):
                start = head.end()
            yield from _requoted(whole, Span("", 1, start, arg.span.end_column), arg.value, arg.type, known[arg.name])
    if rule.payload is not None and link.value is not None and link.value_span is not None:
        yield from _requoted(whole, link.value_span, link.value, link.value_type, rule.payload.type)


def _requoted(whole: str, span: Span, value: str, given: ValueType, wanted: ValueType) -> Iterator[_Change]:
    if wanted is ValueType.STRING and given in _BARE:
        yield span, quoted(whole[span.column : span.end_column])
    elif given is ValueType.STRING and wanted in _BARE and _BARE[wanted].fullmatch(value):
        yield span, value
