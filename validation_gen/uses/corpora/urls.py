"""URLs of sources: recognises them, and finds their paths."""

from __future__ import annotations

import re

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
#: Schemes of HTTP, whose URLs have queries.
_WEB = re.compile(r"(?i)https?://")


def is_url(text: str) -> bool:
    """Returns whether the name of a source is a URL."""
    return bool(_URL.match(text))


def is_web(text: str) -> bool:
    """Returns whether a URL may have a query."""
    return bool(_WEB.match(text))


def file_name(text: str) -> str:
    """Returns a path or URL without its query: its end is the file name."""
    return re.split(r"[?#]", text, maxsplit=1)[0] if is_web(text) else text
