"""Whether a text is a regular expression for Go's `regexp`, with which the API server matches patterns.

Python has another syntax: what it compiles may be refused there, and the other way round. So this follows Go's
`regexp/syntax`, as far as what is well-formed; nothing is ever matched here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_MOST_REPEATS = 1000
_REPEAT = re.compile(r"\{(0|[1-9][0-9]*)(?:(,)(0|[1-9][0-9]*)?)?\}")
_GROUP_NAME = re.compile(r"\?P?<(\w+)>")
_FLAGS = re.compile(r"\?[imsU]*(?:-[imsU]+)?([:)])")
_POSIX = re.compile(r"\[:\^?([^\]:]*):\]")
_POSIX_NAMES = frozenset("alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit".split())
_UNICODE = re.compile(r"[pP](?:\{\^?(\w+)\}|(\w))")
_CATEGORIES = frozenset(
    "C Cc Cf Co Cs L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs".split()
)
_HEX = re.compile(r"x(?:[0-9a-fA-F]{2}|\{[0-9a-fA-F]+\})")
_OCTAL = re.compile(r"(?:0[0-7]{0,2}|[1-7][0-7]{1,2})")
_CONTROLS = "afnrtv"
_PERL_CLASSES = "dDsSwW"
_ANCHORS = "AbBz"


def problem_of(pattern: str) -> str:
    """Why Go would not compile a pattern; `""` if it would."""
    try:
        _Parser(pattern).run()
    except _SyntaxProblem as problem:
        return str(problem)
    return ""


class _SyntaxProblem(Exception):  # noqa: N818 - it never leaves this module
    pass


@dataclass(slots=True)
class _Group:
    """What stands between parentheses. `repeats` is how often its most repeated part is, as Go multiplies it."""

    start: int
    repeats: int = 1
    #: The same of the last part, 0 if there is none that could be repeated.
    last: int = 0
    #: The text of the repetition that has just ended, as another must not follow.
    repetition: str = ""

    def add(self, repeats: int = 1) -> None:
        self.last, self.repetition = repeats, ""
        self.repeats = max(self.repeats, repeats)

    def alternative(self) -> None:
        self.last, self.repetition = 0, ""


@dataclass(slots=True)
class _Parser:
    text: str
    position: int = 0
    groups: list[_Group] = field(default_factory=lambda: [_Group(0)])
    names: set[str] = field(default_factory=set)

    def run(self) -> None:
        while self.position < len(self.text):
            self._step()
        if len(self.groups) > 1:
            raise _SyntaxProblem(f"the group {self._shown(self.groups[-1].start)} has no ')'")

    def _step(self) -> None:
        character = self.text[self.position]
        group = self.groups[-1]
        match character:
            case "(":
                self._open()
            case ")":
                if len(self.groups) == 1:
                    raise _SyntaxProblem("there is a ')' without a '('")
                self.groups.pop()
                self.groups[-1].add(group.repeats)
                self.position += 1
            case "|":
                group.alternative()
                self.position += 1
            case "*" | "+" | "?":
                self._repeat(self.text[self.position : self.position + 1], 1)
            case "{" if found := _REPEAT.match(self.text, self.position):
                self._repeat(found[0], self._count(found))
            case "[":
                self._class()
                group.add()
            case "\\":
                if self._escape():
                    group.add()
                else:
                    group.repetition = ""
            case _:
                group.add()
                self.position += 1

    def _open(self) -> None:
        start = self.position
        self.position += 1
        if self.text.startswith("?", self.position):
            if name := _GROUP_NAME.match(self.text, self.position):
                if name[1] in self.names:
                    raise _SyntaxProblem(f"there are two groups of the name {name[1]}")
                self.names.add(name[1])
                self.position = name.end()
            elif flags := _FLAGS.match(self.text, self.position):
                self.position = flags.end()
                if flags[1] == ")":  # flags for the rest of the group around
                    self.groups[-1].repetition = ""
                    return
            else:
                beginning = re.match(r"\(\?(?:P?<[=!]?|.)?", self.text[start:])
                raise _SyntaxProblem(f"Go has no groups that begin with {beginning[0] if beginning else '(?'}")
        self.groups.append(_Group(start))

    def _repeat(self, text: str, count: int) -> None:
        group = self.groups[-1]
        self.position += len(text)
        if self.text.startswith("?", self.position):
            self.position += 1
            text += "?"
        if group.repetition:
            raise _SyntaxProblem(f"{text} follows {group.repetition}: a repetition cannot be repeated")
        if not group.last:
            raise _SyntaxProblem(f"nothing stands before {text} that could be repeated")
        repeats = max(group.last * count, 1) if count else 1
        if repeats > _MOST_REPEATS:
            raise _SyntaxProblem(f"{text} repeats a part more than {_MOST_REPEATS} times")
        group.add(max(repeats, group.last))
        group.repetition = text

    def _count(self, found: re.Match[str]) -> int:
        """How often a part is repeated at least, or at most if that is said."""
        least = found[1]
        most = found[3] if found[2] else least
        if len(least) > 4 or len(most or "") > 4 or max(int(least), int(most or 0)) > _MOST_REPEATS:
            raise _SyntaxProblem(f"{found[0]} repeats more than {_MOST_REPEATS} times")
        if most and int(least) > int(most):
            raise _SyntaxProblem(f"{found[0]} asks for more than it allows")
        return int(most or least)

    # --- escapes ----------------------------------------------------------------------------------------------------

    def _escape(self) -> bool:
        """An escape outside of brackets; whether it is a part that could be repeated."""
        following = self.text[self.position + 1 : self.position + 2]
        if following == "Q":
            start, end = self.position + 2, self.text.find("\\E", self.position)
            self.position = len(self.text) if end < 0 else end + 2
            return end != start and start < len(self.text)
        if following and following in _ANCHORS + _PERL_CLASSES:
            self.position += 2
        elif not self._unicode_class():
            self._character()
        return True

    def _unicode_class(self) -> bool:
        """A class such as `pL` or `p{Greek}` behind a backslash. Which scripts there are is not known here."""
        if self.text[self.position + 1 : self.position + 2] not in ("p", "P"):
            return False
        found = _UNICODE.match(self.text, self.position + 1)
        name = (found[1] or found[2]) if found else ""
        if found is None or (len(name) < 3 and name not in _CATEGORIES):
            raise _SyntaxProblem(f"{self._shown(self.position)} names no class of characters")
        self.position = found.end()
        return True

    def _character(self) -> str:
        """An escaped character."""
        start = self.position + 1
        following = self.text[start : start + 1]
        if not following:
            raise _SyntaxProblem("there is a backslash at the end")
        for known in (_HEX, _OCTAL):
            if found := known.match(self.text, start):
                self.position = found.end()
                digits = found[0].lstrip("x").strip("{}")
                code = int(digits, 16 if known is _HEX else 8) if len(digits) <= 8 else 0x110000
                if code > 0x10FFFF:
                    raise _SyntaxProblem(f"\\{found[0]} is no character")
                return chr(code)
        if following.isascii() and (not following.isalnum() or following in _CONTROLS):
            self.position += 2
            return (
                following
                if following not in _CONTROLS
                else dict(zip(_CONTROLS, "\a\f\n\r\t\v", strict=True))[following]
            )
        what = "Go has no references to groups" if following in "123456789" else "it means nothing in Go"
        raise _SyntaxProblem(f"\\{following}: {what}")

    # --- brackets ---------------------------------------------------------------------------------------------------

    def _class(self) -> None:
        start = self.position
        self.position += 2 if self.text.startswith("[^", start) else 1
        first = True
        while first or not self.text.startswith("]", self.position):
            if self.position >= len(self.text):
                raise _SyntaxProblem(f"the brackets {self._shown(start)} are not closed")
            first = False
            self._class_item()
        self.position += 1

    def _class_item(self) -> None:
        if self.text.startswith("[:", self.position) and self.text.find(":]", self.position + 2) >= 0:
            named = _POSIX.match(self.text, self.position)
            if named is None or named[1] not in _POSIX_NAMES:
                raise _SyntaxProblem(f"{self._shown(self.position)} names no class of characters")
            self.position = named.end()
            return
        if self.text.startswith("\\", self.position):
            if self.text[self.position + 1 : self.position + 2] in tuple(_PERL_CLASSES):
                self.position += 2
                return
            if self._unicode_class():
                return
        start = self.position
        low = self._class_character()
        if self.text.startswith("-", self.position) and self.text[self.position + 1 : self.position + 2] not in (
            "",
            "]",
        ):
            self.position += 1
            if self._class_character() < low:
                raise _SyntaxProblem(f"the range {self.text[start : self.position]} is empty")

    def _class_character(self) -> str:
        if self.text.startswith("\\", self.position):
            return self._character()
        character = self.text[self.position]
        self.position += 1
        return character

    def _shown(self, start: int) -> str:
        text = self.text[start:]
        return text if len(text) <= 20 else f"{text[:20]}…"
