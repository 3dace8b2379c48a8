"""Label and field selectors in their text form.

Sources of the behaviour: `pkg/labels/selector.go` and `pkg/fields/selector.go` of `k8s.io/apimachinery`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from validation_gen.apiserver.errors import bad_request
from validation_gen.runtime import names
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.gotext import go_quote

_WORD = re.compile(r"\s*(?:(==|!=|[=!<>(),])|([^\s=!<>(),]+))")


@dataclass(frozen=True, slots=True)
class Requirement:
    """One requirement of a label selector. `operator` is `in`, `notin`, `exists`, `!`, `gt` or `lt`."""

    key: str
    operator: str
    values: tuple[str, ...] = ()

    def holds(self, labels: Mapping[str, str]) -> bool:
        """Returns whether labels fulfil it."""
        value = labels.get(self.key)
        if self.operator == "in":
            return value in self.values and self.key in labels
        if self.operator == "notin":
            return self.key not in labels or value not in self.values
        if self.operator == "exists":
            return self.key in labels
        if self.operator == "!":
            return self.key not in labels
        try:
            number, limit = int(value or ""), int(self.values[0])
        except ValueError:
            return False
        return number > limit if self.operator == "gt" else number < limit


class _Parser:
    """Parser of label selectors, which gives the server's errors."""

    def __init__(self, text: str) -> None:
        self._words = [match[1] or match[2] for match in _WORD.finditer(text)]
        self._at = 0

    def _peek(self) -> str:
        return self._words[self._at] if self._at < len(self._words) else ""

    def _next(self) -> str:
        word = self._peek()
        self._at += 1
        return word

    def parse(self) -> list[Requirement]:
        found: list[Requirement] = []
        while True:
            word = self._peek()
            if word == "":
                return found
            if word != "!" and not _is_word(word):
                raise ValueError(f"found '{word}', expected: !, identifier, or 'end of string'")
            try:
                found.append(self._requirement())
            except ValueError as problem:
                raise ValueError(f"unable to parse requirement: {problem}") from None
            after = self._next()
            if after == "":
                return found
            if after != ",":
                raise ValueError(f"found '{after}', expected: ',' or 'end of string'")
            following = self._peek()
            if following != "!" and not _is_word(following):
                raise ValueError(f"found '{following}', expected: identifier after ','")

    def _requirement(self) -> Requirement:
        negated = self._peek() == "!"
        if negated:
            self._next()
        key = self._next()
        if key == "":
            raise ValueError(str(FieldError.invalid("key", "", names.label_key("")[0] if names.label_key("") else "")))
        if not _is_word(key):
            raise ValueError(f"found '{key}', expected: identifier")
        _check_key(key)
        if negated or self._peek() in ("", ","):
            return Requirement(key, "!" if negated else "exists")
        operator = self._next()
        if operator in ("in", "notin"):
            values = self._values()
        elif operator in ("=", "==", "!=", ">", "<", "gt", "lt"):
            values = (self._value(),)
            operator = {"=": "in", "==": "in", "!=": "notin", ">": "gt", "<": "lt"}.get(operator, operator)
        else:
            raise ValueError(f"found '{operator}', expected: in, notin, =, ==, !=, gt, lt")
        _check_values(key, operator, values)
        return Requirement(key, operator, values)

    def _values(self) -> tuple[str, ...]:
        word = self._next()
        if word != "(":
            raise ValueError(f"found '{word}' expected: '('")
        found: list[str] = []
        while True:
            word = self._peek()
            if word == ")":
                self._next()
                return tuple(sorted({*found, *([] if found else [""])}))
            if _is_word(word):
                found.append(self._next())
                if self._peek() == ")":
                    continue
                if self._peek() == ",":
                    self._next()
                    if self._peek() in (")", ","):
                        found.append("")
                    continue
                raise ValueError(f"found '{self._peek()}', expected: ',' or ')'")
            if word == ",":
                self._next()
                found.append("")
                continue
            raise ValueError(f"found '{word}', expected: ',', ')' or identifier")

    def _value(self) -> str:
        word = self._peek()
        if word in ("", ","):
            return ""
        if not _is_word(word):
            raise ValueError(f"found '{word}', expected: identifier")
        return self._next()


def _is_word(word: str) -> bool:
    return bool(word) and word[0] not in "=!<>(),"


def _check_key(key: str) -> None:
    problems = names.label_key(key)
    if problems:
        raise ValueError(str(FieldError.invalid("key", key, "; ".join(problems))))


def _check_values(key: str, operator: str, values: Iterable[str]) -> None:
    for index, value in enumerate(values):
        if operator in ("gt", "lt"):
            try:
                int(value)
            except ValueError:
                detail = "for 'Gt', 'Lt' operators, the value must be an integer"
                raise ValueError(str(FieldError.invalid(f"values[{index}]", value, detail))) from None
        problems = names.label_value(value)
        if problems:
            raise ValueError(str(FieldError.invalid(f"values[{index}][{key}]", value, "; ".join(problems))))


def parse_labels(text: str) -> list[Requirement]:
    """Returns the requirements of a label selector."""
    try:
        return _Parser(text).parse()
    except ValueError as problem:
        raise bad_request(str(problem)) from None


# --- fields -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FieldTerm:
    """One term of a field selector: `field=value`, or `field!=value` if `negated`."""

    field: str
    value: str
    negated: bool = False


def parse_fields(text: str, is_supported: Callable[[str], bool], refuse: Callable[[str], str]) -> list[FieldTerm]:
    """Returns the terms of a field selector. `refuse` has the text for a field that is not supported."""
    found = []
    for part in _split_terms(text):
        if not part:
            continue
        match = re.match(r"((?:[^=!\\]|\\.|!(?!=))*?)(!=|==|=)", part, re.DOTALL)
        if match is None:
            raise bad_request(f"invalid selector: '{text}'; can't understand '{part}'")
        value = _unescape(part[match.end() :])
        if not match[1] and not value:
            continue  # it selects everything
        if not is_supported(match[1]):
            raise bad_request(refuse(match[1]))
        found.append(FieldTerm(match[1], value, match[2] == "!="))
    return found


def _split_terms(text: str) -> list[str]:
    found, start, index = [], 0, 0
    while index < len(text):
        if text[index] == "\\":
            index += 1
        elif text[index] == ",":
            found.append(text[start:index])
            start = index + 1
        index += 1
    return [*found, text[start:]]


def _unescape(value: str) -> str:
    match = re.search(r"\\(?![\\,=])|(?<!\\)(?:\\\\)*=", value)
    if match is not None:
        shown = match[0][-1] if match[0][-1] == "=" else value[match.start() : match.start() + 2]
        if shown == "=":
            raise bad_request(f"invalid field selector: unescaped character in value: {ord('=')}")
        raise bad_request(f"invalid field selector: invalid escape sequence: {go_quote(shown)}")
    return re.sub(r"\\([\\,=])", r"\1", value)
