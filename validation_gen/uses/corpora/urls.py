"""URLs of sources: what is one, and what of it is a path."""

from __future__ import annotations

import re

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
#: Stores that are asked by HTTP, whose URLs have queries.
_WEB = re.compile(r"(?i)https?://")


def is_url(text: str) -> bool:
    """Tells whether a source is named by a URL."""
    return bool(_URL.match(text))


def is_web(text: str) -> bool:
    """Tells whether a URL may have a query."""
    return bool(_WEB.match(text))


def file_name(text: str) -> str:
    """A path or URL without its query: its end says what the source is called."""
    return re.split(r"[?#]", text, maxsplit=1)[0] if is_web(text) else text
