"""Checks of names, labels and identifiers, in the API server's words, and a cache of valid texts.

Each function takes a text and returns the messages, in the API server's order; an empty tuple means a valid text.
Objects of one cluster repeat their names, labels and quantities, and a look-up in a set is many times faster than a
pattern. A text is cached for one check only (*is it a quantity?*), after it has passed.

Source of the behaviour: `k8s.io/apimachinery/pkg/api/validate/content`.
"""

from __future__ import annotations

import re

from validation_gen.runtime.texts import name_too_long, unmatched

Messages = tuple[str, ...]

LABEL_MAX_BYTES = 63
SUBDOMAIN_MAX_BYTES = 253


def byte_count(text: str) -> int:
    """Returns the length in UTF-8. Half a surrogate pair counts three bytes, as its replacement in Go does."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


# The texts of the patterns are part of the messages; they are compiled apart from those to match ASCII only and without
# unused groups.
LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
SUBDOMAIN = LABEL + r"(\." + LABEL + ")*"
NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_LABEL_VALUE = f"({NAME})?"
C_IDENTIFIER = "[A-Za-z_][A-Za-z0-9_]*"

# Go's `(?i)` lets [a-z] match the two other characters that fold to an ASCII letter: the long s and the kelvin sign.
# Python's flag would add the Turkish dotless and dotted i, so the set is spelt out.
_ANY_CASE = "A-Za-z0-9\u017f\u212a"
_CASELESS = f"[{_ANY_CASE}](?:[-{_ANY_CASE}]*[{_ANY_CASE}])?"

_is_label = re.compile(LABEL.replace("(", "(?:")).fullmatch
_is_subdomain = re.compile(SUBDOMAIN.replace("(", "(?:")).fullmatch
_is_caseless_subdomain = re.compile(rf"{_CASELESS}(?:\.{_CASELESS})*").fullmatch
_is_name = re.compile(NAME.replace("(", "(?:")).fullmatch
_is_c_identifier = re.compile(C_IDENTIFIER).fullmatch

_NOT_A_LABEL = unmatched(
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', "
    "and must start and end with an alphanumeric character",
    LABEL,
    "my-name",
    "123-abc",
)
_NOT_A_SUBDOMAIN = unmatched(
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', "
    "and must start and end with an alphanumeric character",
    SUBDOMAIN,
    "example.com",
)
_NOT_A_CASELESS_SUBDOMAIN = unmatched(
    "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', "
    "and must start and end with an alphanumeric character",
    SUBDOMAIN,
    "Example.com",
)
_NOT_A_NAME = unmatched(
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    NAME,
    "MyName",
    "my.name",
    "123-abc",
)
_NOT_A_KEY = (
    f"a valid label key {_NOT_A_NAME} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
)
_NOT_A_VALUE = unmatched(
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
    "and must start and end with an alphanumeric character",
    _LABEL_VALUE,
    "MyValue",
    "my_value",
    "12345",
)
_NOT_A_C_IDENTIFIER = unmatched(
    "a valid C identifier must start with alphabetic character or '_', "
    "followed by a string of alphanumeric characters or '_'",
    C_IDENTIFIER,
    "my_name",
    "MY_NAME",
    "MyName",
)


# What matches a pattern is ASCII, so that its length is its number of bytes. Most texts are right, and see one match.


def dns_label(text: str) -> Messages:
    """Checks a "short name": a lowercase RFC 1123 label."""
    is_label = _is_label(text)
    if is_label and len(text) <= LABEL_MAX_BYTES:
        return ()
    messages: Messages = ()
    if byte_count(text) > LABEL_MAX_BYTES:
        messages = (name_too_long(LABEL_MAX_BYTES),)
    if is_label:
        return messages
    return (*messages, "must not contain dots" if _is_subdomain(text) else _NOT_A_LABEL)


def dns_subdomain(text: str, *, caseless: bool = False) -> Messages:
    """Checks a "long name": a lowercase RFC 1123 subdomain; only its total length is limited."""
    is_subdomain = _is_caseless_subdomain(text) if caseless else _is_subdomain(text)
    if is_subdomain and len(text) <= SUBDOMAIN_MAX_BYTES and not caseless:
        return ()
    messages: Messages = ()
    if byte_count(text) > SUBDOMAIN_MAX_BYTES:
        messages = (name_too_long(SUBDOMAIN_MAX_BYTES),)
    if is_subdomain:
        return messages
    return (*messages, _NOT_A_CASELESS_SUBDOMAIN if caseless else _NOT_A_SUBDOMAIN)


def label_key(text: str) -> Messages:
    """Checks a label key: a name, with or without a subdomain and `/` before it."""
    prefix, slash, name = text.partition("/")
    messages: list[str] = []
    if not slash:
        name = prefix
    elif "/" in name:
        return (_NOT_A_KEY,)
    elif not prefix:
        messages.append("prefix part must be non-empty")
    else:
        messages += (f"prefix part {message}" for message in dns_subdomain(prefix))
    if not name:
        messages.append("name part must be non-empty")
    elif byte_count(name) > LABEL_MAX_BYTES:
        messages.append(f"name part {name_too_long(LABEL_MAX_BYTES)}")
    if not _is_name(name):
        messages.append(f"name part {_NOT_A_NAME}")
    return tuple(messages)


def prefixed_label_key(text: str) -> Messages:
    """Checks a label key that must have a prefix."""
    messages = label_key(text)
    if messages or "/" in text:
        return messages
    return ("must include a prefix (e.g. 'example.com/key')",)


def label_value(text: str) -> Messages:
    """Checks a label value, which may be empty."""
    is_value = not text or _is_name(text)
    if is_value and len(text) <= LABEL_MAX_BYTES:
        return ()
    messages: Messages = ()
    if byte_count(text) > LABEL_MAX_BYTES:
        messages = (name_too_long(LABEL_MAX_BYTES),)
    return messages if is_value else (*messages, _NOT_A_VALUE)


def path_segment(text: str) -> Messages:
    """Checks a name that has to be valid as one segment of a URL's path."""
    if text in (".", ".."):
        return (f"may not be '{text}'",)
    return tuple(f"may not contain '{char}'" for char in "/%" if char in text)


def c_identifier(text: str) -> Messages:
    """Checks an identifier of the C language; upstream checks its length apart."""
    return () if _is_c_identifier(text) else (_NOT_A_C_IDENTIFIER,)


#: Longer texts hardly ever repeat.
_MAX_LENGTH = 256
#: A full set is cleared: texts in use return at once, and stale ones must not stay for ever.
_MAX_TEXTS = 2048


def remember(known: set[str], value: object) -> None:
    """Adds a valid text. Other values are checked each time."""
    if value.__class__ is str and len(value) <= _MAX_LENGTH:
        if len(known) >= _MAX_TEXTS:
            known.clear()
        known.add(value)
