"""Invisible characters and secrets in printed text: the only module that knows both.

Hidden are control characters (escape sequences of terminals begin with one), marks that change the direction of text
(Trojan Source, CVE-2021-42574), fillers and other characters without a form, and lone surrogates. Letters of all
scripts stay, as do emoji: a joiner stays between two characters that it can join, a variation selector behind one that
it can vary. The list is written out, so that it does not depend on the version of Python.

Nothing here changes the meaning of a value: writers of a language use its own escapes.

Secrets are passwords and signatures in URLs. Every finding, every sentence on a terminal and every report goes through
`redact`, also with the texts of other libraries.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from urllib.parse import unquote

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
    """Returns whether a text has invisible characters, other than those to `keep`."""
    if text.isascii() and text.isprintable():
        return False
    return any(found[0] not in keep for found in _HIDDEN.finditer(text))


def hidden_places(text: str) -> set[int]:
    """Returns the offsets of invisible characters."""
    return {found.start() for found in _HIDDEN.finditer(text)}


def replace_invisible(text: str, escape: Callable[[str], str], keep: str = "") -> str:
    """Replaces invisible characters by the result of `escape`."""
    if text.isascii() and text.isprintable():
        return text
    return _HIDDEN.sub(lambda found: found[0] if found[0] in keep else escape(found[0]), text)


def visible(text: str, keep: str = "") -> str:
    """Replaces invisible characters by Python's escapes, other than the characters to `keep`."""
    return replace_invisible(text, _as_python, keep)


def one_line(text: str) -> str:
    """Returns a foreign message, comment or file name on one line: blanks of other widths are also escaped."""
    if text.isascii() and text.isprintable():
        return text
    if not text.isprintable():  # first, as an escape leaves nothing to join or to vary
        text = "".join(c if c.isprintable() or c in _JOINERS else _as_python(c) for c in text)
    return visible(text)


def without_hidden(text: str) -> str:
    """Removes invisible characters; tabs and ends of lines stay."""
    return replace_invisible(text, lambda _: "", keep="\t\n")


def as_json_escape(character: str) -> str:
    """Returns a character as a JSON escape."""
    units = character.encode("utf-16-be", errors="surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


def as_yaml_escape(character: str) -> str:
    """Returns a character as a YAML escape for double quotes."""
    code = ord(character)
    return f"\\x{code:02X}" if code < 0x100 else f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"


def _as_python(character: str) -> str:
    return character.encode("unicode_escape").decode()


# --- secrets ----------------------------------------------------------------------------------------------------------

_REDACTED = "…"
# Repetitions have bounds; otherwise the time would grow with the square of the text's length.
#: Login before the host of a URL, also one that was taken for a path and has lost a slash: `name:password@`, with any
#: password, or for the web any text. Elsewhere a name alone is a part of the address.
_LOGIN = re.compile(
    r"""(?i)(?<![a-z0-9+.-])(?:
        ([a-z][a-z0-9+.-]{1,64}:/{1,3}) [^/?#\s@:"<>\[]{0,256} :
            ([^/?#\s"<>]{0,4096} | (?!\d{1,5}[/?#]) (?:(?!://)[^\s"<>]){0,512}) @  # passwords may have slashes
        | (https?:/{1,3}) ([^/?#\s@:"<>]{1,4096}) @
    )""",
    re.VERBOSE,
)
#: Signatures, keys and tokens of links that give access.
_QUERY = re.compile(
    r"(?i)([?&;](?:[\w.~%-]{0,64}(?:sig|token|secret|passw|pwd|credential|auth|session|policy|jwt|apikey|accesskey)"
    r"[\w.~%-]{0,64}|(?:[\w.~%-]{0,64}[-_.])?key|code)=)([^&;#\s'\"<>\\]+)"
)
#: Shorter secrets are only replaced within a URL: elsewhere they may be a part of any word.
_SHORTEST = 6
#: Least length of a name that is a token.
_SHORTEST_TOKEN = 16
_known: set[str] = set()


def redact(text: str) -> str:
    """Returns a text without the secrets of URLs: those in it, and those that `note_secrets` has found."""
    if "@" in text or "=" in text:
        text = _QUERY.sub(rf"\1{_REDACTED}", _LOGIN.sub(lambda found: f"{found[1] or found[3]}{_REDACTED}@", text))
    for secret in _known:
        if secret in text:
            text = text.replace(secret, _REDACTED)
    return text


def note_secrets(texts: Iterable[str]) -> None:
    """Records the secrets of URLs in texts, as other libraries quote parts of a URL."""
    for text in texts:
        found = [(each[2], _SHORTEST) if each[2] else (each[4], _SHORTEST_TOKEN) for each in _LOGIN.finditer(text)]
        found += [(each[2], _SHORTEST) for each in _QUERY.finditer(text)]
        for secret, shortest in found:
            _known.update(each for each in {secret or "", unquote(secret or "")} if len(each) >= shortest)
