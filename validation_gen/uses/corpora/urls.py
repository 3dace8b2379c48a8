"""URLs of sources: what is one, what of it is a path, and how it is shown without its secrets."""

from __future__ import annotations

import re

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
#: Stores that are asked by HTTP, whose URLs have queries.
_WEB = re.compile(r"(?i)https?://")
_HIDDEN = "…"
#: `name:password@`, or whatever stands there for the web. Elsewhere, a name alone is a part of the address.
_LOGIN = re.compile(
    r"(?i)(?:(?<=://)[^/?#\s@'\":]*:[^/?#\s@'\"]*@|(?<=https://)[^/?#\s@'\"]+@|(?<=http://)[^/?#\s@'\"]+@)"
)
#: Signatures, keys and tokens of links that anybody may follow.
_SECRET = re.compile(
    r"(?i)([?&;](?:[\w.~%-]*(?:sig|token|secret|passw|pwd|credential|auth|session|policy|jwt|apikey|accesskey)[\w.~%-]*"
    r"|(?:[\w.~%-]*[-_.])?key|code)=)[^&;#\s'\"<>]+"
)


def is_url(text: str) -> bool:
    """Tells whether a source is named by a URL."""
    return bool(_URL.match(text))


def is_web(text: str) -> bool:
    """Tells whether a URL may have a query."""
    return bool(_WEB.match(text))


def shown(text: str) -> str:
    """A URL as people may see it, or a text with URLs in it: without passwords, and what links are signed by."""
    if "://" not in text and "=" not in text:
        return text
    return _SECRET.sub(rf"\1{_HIDDEN}", _LOGIN.sub(f"{_HIDDEN}@", text))


def file_name(text: str) -> str:
    """A path or URL without its query: its end says what the source is called."""
    return re.split(r"[?#]", text, maxsplit=1)[0] if is_web(text) else text
