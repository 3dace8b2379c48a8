"""`url(...)` and what can be asked of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import unquote_plus

from validation_gen.kubernetes.cel.values import EvaluationError
from validation_gen.kubernetes.formats.gourl import (
    GoUrlError,
    Url,
    is_request_url,
    parse_request_url,
    parse_url,
)

#: Go reads no query with more parts.
_MOST_PARTS = 10_000
_WRONG_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_PORT = re.compile(r"(.*):([0-9]*)", re.DOTALL)


@dataclass(frozen=True, slots=True, eq=False)
class URL:
    """A URL. Two are equal if they are written alike again."""

    type_name: ClassVar[str] = "kubernetes.URL"
    parts: Url

    def __eq__(self, other: object) -> bool:
        return isinstance(other, URL) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        return str(self.parts)


def url(text: str) -> URL:
    """The URL of a text, which has to be absolute, or an absolute path."""
    try:
        parse_request_url(text)
        # Once more: what has been asked for takes a fragment for a part of what stands before it.
        return URL(parse_url(text))
    except GoUrlError as error:
        raise EvaluationError(f"URL parse error during conversion from string: {error}") from None


def is_url(text: str) -> bool:
    return is_request_url(text)


def get_scheme(value: URL) -> str:
    return value.parts.scheme


def get_host(value: URL) -> str:
    """With the port."""
    return value.parts.host


def get_hostname(value: URL) -> str:
    """Without the port, and without the brackets of an IPv6 address."""
    name, _ = _host_and_port(value)
    return name[1:-1] if name.startswith("[") and name.endswith("]") else name


def get_port(value: URL) -> str:
    _, port = _host_and_port(value)
    return port


def _host_and_port(value: URL) -> tuple[str, str]:
    match = _PORT.fullmatch(value.parts.host)
    return (match[1], match[2]) if match else (value.parts.host, "")


def get_escaped_path(value: URL) -> str:
    return value.parts.escaped_path()


def get_query(value: URL) -> dict[str, list[str]]:
    """The values of each key, without the parts that Go cannot read."""
    found: dict[str, list[str]] = {}
    parts = value.parts.query.split("&")
    if len(parts) > _MOST_PARTS:
        return found
    for part in parts:
        if not part or ";" in part or _WRONG_ESCAPE.search(part):
            continue
        key, _, text = part.partition("=")
        found.setdefault(unquote_plus(key), []).append(unquote_plus(text))
    return found
