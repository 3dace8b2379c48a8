"""Text that people see, without what they cannot see: the one place that knows which characters those are.

They are control characters (escape sequences of terminals begin with one), marks that turn the direction of text around
(Trojan Source, CVE-2021-42574), fillers and other characters without a form, and halves of surrogate pairs. Letters of
all scripts stay, as do emoji: a joiner stays between two characters that it can join, a variation selector behind one
that it can vary. The list is written out, so that it does not depend on the version of Python.

Nothing here changes what a value means: whoever writes a value in some language has escapes of that language.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_NONE = (
    r"\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    r"\u3164\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff"
    r"\U000e01f0-\U000e0fff\ud800-\udfff"
)
_JOINERS = "\u200c\u200d"
_SELECTORS = r"\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
_JOINED = rf"[^\x00-\x7f{_NONE}{_JOINERS}]"
_VARIED = rf"[^\x00-\x22\x24-\x29\x2b-\x2f\x3a-\x7f{_NONE}{_JOINERS}{_SELECTORS}]"
_HIDDEN = re.compile(rf"[{_NONE}]|(?<!{_JOINED})[{_JOINERS}]|[{_JOINERS}](?!{_JOINED})|(?<!{_VARIED})[{_SELECTORS}]")


def has_hidden(text: str, keep: str = "") -> bool:
    """Whether there is anything in a text that people do not see, other than the characters to `keep`."""
    if text.isascii() and text.isprintable():
        return False
    return any(found[0] not in keep for found in _HIDDEN.finditer(text))


def hidden_places(text: str) -> set[int]:
    """Where the characters are that people do not see."""
    return {found.start() for found in _HIDDEN.finditer(text)}


def replaced(text: str, escape: Callable[[str], str], keep: str = "") -> str:
    """The text with escapes for what people do not see, as `escape` gives them for each character."""
    if text.isascii() and text.isprintable():
        return text
    return _HIDDEN.sub(lambda found: found[0] if found[0] in keep else escape(found[0]), text)


def visible(text: str, keep: str = "") -> str:
    """The text with the escapes of Python for what people do not see, other than the characters to `keep`."""
    return replaced(text, _as_python, keep)


def one_line(text: str) -> str:
    """A message, a comment or a file name on one line, whatever it quotes: also blanks of other widths are escapes."""
    if text.isascii() and text.isprintable():
        return text
    text = visible(text)
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in _JOINERS else _as_python(c) for c in text)


def without_hidden(text: str) -> str:
    """The text without what people do not see; tabs and ends of lines stay."""
    return replaced(text, lambda _: "", keep="\t\n")


def as_json_escape(character: str) -> str:
    """A character as JSON has it."""
    units = character.encode("utf-16-be", errors="surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


def as_yaml_escape(character: str) -> str:
    """A character as YAML has it between double quotes."""
    code = ord(character)
    return f"\\x{code:02X}" if code < 0x100 else f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"


def _as_python(character: str) -> str:
    return character.encode("unicode_escape").decode()
