"""`url(...)` and its methods."""

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

#: Greatest number of parts of a query; Go reads none with more.
_MOST_PARTS = 10_000
_WRONG_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_PORT = re.compile(r"(.*):([0-9]*)", re.DOTALL)


@dataclass(frozen=True, slots=True, eq=False)
class URL:
    """A URL. Two are equal if their normalized texts are."""

    type_name: ClassVar[str] = "kubernetes.URL"
    parts: Url

    def __eq__(self, other: object) -> bool:
        return isinstance(other, URL) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        return str(self.parts)


def url(text: str) -> URL:
    """Parses a text, which has to be an absolute URL or an absolute path."""
    try:
        parse_request_url(text)
        # Parsed again: a request URL has no fragment and takes `#` as part of the rest.
        return URL(parse_url(text))
    except GoUrlError as error:
        raise EvaluationError(f"URL parse error during conversion from string: {error}") from None


def is_url(text: str) -> bool:
    return is_request_url(text)


def get_scheme(value: URL) -> str:
    return value.parts.scheme


def get_host(value: URL) -> str:
    """Returns the host with the port."""
    return value.parts.host


def get_hostname(value: URL) -> str:
    """Returns the host without the port, and without the brackets of an IPv6 address."""
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
    """Returns the values of each key, without the parts that Go cannot read."""
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
