"""Suggests corrections for unreadable tags, from the rule's own declaration."""

from __future__ import annotations

import re

from validation_gen.rules.directives import DIRECTIVES
from validation_gen.rules.registry import catalogue, names_in
from validation_gen.tags.model import ValueType
from validation_gen.tags.parser import RawTag, TagSyntaxError
from validation_gen.tags.suggestions import probable

#: Rules that users know from schemas and that tags lack.
_IN_SCHEMAS = {
    name: f"there is no such rule; schemas have +k8s:validation:{name}={value}, and for validators {instead}"
    for name, value, instead in (
        ("pattern", '"^[a-z]+$"', "there are +k8s:format and +k8s:customValidation"),
        ("multipleOf", "5", "there is +k8s:customValidation"),
    )
}
_QUOTING, _NUMBER, _OR_TEXT = "quote the value", "a number is decimal", "; if it is text"
#: The tag with an error in its value, at the end of the text before the value.
_TAG = re.compile(r"\+?(?P<name>k8s:\w+)(?:\([^()]*\))?=[^=(+]*")


def for_syntax(raw: RawTag, error: TagSyntaxError) -> str:
    """Returns the help for a tag that does not parse.

    A value in quotes is wrong where the rule expects a number or nothing.
    """
    if not error.help.startswith((_QUOTING, _NUMBER)):
        return error.help
    found = _TAG.fullmatch(raw.text[: error.span.column - raw.span.column - 1].rpartition("=+")[2])
    rule = catalogue().get(found["name"]) if found else None
    if rule is None or found is None:
        return error.help
    if rule.payload is None:
        return f"+{found['name']} takes no value; write +{found['name']} alone"
    if rule.payload.type is not ValueType.INT:
        return error.help
    return error.help.partition(_OR_TEXT)[0] if error.help.startswith(_NUMBER) else "write a whole number"


def for_unknown(name: str, target: str) -> str:
    """Help for a name that no tag has."""
    known = [*names_in(target), *DIRECTIVES]
    tag, _, value = name.removeprefix("k8s:").partition(":")
    if value and f"k8s:{tag}" in known:
        return f"write '=' before the value: +k8s:{tag}={value}"
    if tag in _IN_SCHEMAS:
        return _IN_SCHEMAS[tag]
    near = probable(name, known)
    if near:
        return f"did you mean +{near}?"
    return "it has no effect: there is no such rule; validation-gen explain lists all tags"
