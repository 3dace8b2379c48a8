"""Colours by purpose. The caller decides whether to use them."""

from __future__ import annotations

from collections.abc import Callable

_RESET = "\x1b[0m"
_STYLES = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "info": "\x1b[1;36m",
    "note": "\x1b[1;36m",
    "help": "\x1b[1;36m",
    "gutter": "\x1b[1;34m",
    "strong": "\x1b[1m",
}

Styler = Callable[[str, str], str]


def styler(color: bool) -> Styler:
    """Returns a function that styles text by the name of a style, or leaves it unchanged."""
    return _colored if color else _plain


def _plain(_style: str, text: str) -> str:
    return text


def _colored(style: str, text: str) -> str:
    return f"{_STYLES[style]}{text}{_RESET}" if text.strip() else text
