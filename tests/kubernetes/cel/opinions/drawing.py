"""Expressions of known types, and values of their variables, for Hypothesis."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from tests.kubernetes.cel.opinions.forms import FORMS, LITERALS, PLACE, Form
from validation_gen.kubernetes.cel.values import Uint

_INT = st.one_of(st.integers(-9, 9), st.integers(-(1 << 63), (1 << 63) - 1))
_TEXT = st.text(st.sampled_from("abcAB1 ,-é😀"), max_size=5)
#: Texts that can become something else, or nearly can.
_CONVERTED = [
    *("12", "-7", "007", "1.5", "1e3", "0.1", "true", "False", "9223372036854775808", "18446744073709551616"),
    *(
        "1h",
        "-1m30s",
        "1.5h",
        "2us",
        "--1h",
        "2020-02-29T12:30:15Z",
        "2020-02-30T12:30:15Z",
        "2020-02-29T12:30:15-23:59",
    ),
]
#: The variables that are known everywhere, with their kinds.
VALUES: Mapping[str, tuple[str, st.SearchStrategy[Any]]] = {
    "i": ("int", _INT),
    "j": ("int", st.integers(-3, 3)),
    "u": ("uint", st.one_of(st.integers(0, 9), st.integers(0, (1 << 64) - 1)).map(Uint)),
    "d": ("double", st.one_of(st.integers(-9, 9).map(float), st.floats(allow_nan=False, allow_infinity=False))),
    "s": ("string", _TEXT),
    "t": ("string", st.one_of(st.text(st.sampled_from("ab-1é"), max_size=3), st.sampled_from(_CONVERTED))),
    # No zeros, behind which cel-cpp forgets the rest when it puts bytes together.
    "x": ("bytes", st.lists(st.sampled_from(b"ab\x01\x7f\xc3\xa9\xff"), max_size=4).map(bytes)),
    "f": ("bool", st.booleans()),
    "li": ("ints", st.lists(st.one_of(st.integers(-3, 3), _INT), max_size=4)),
    "ls": ("texts", st.lists(_TEXT, max_size=4)),
    "m": ("map", st.dictionaries(st.sampled_from("abc"), st.integers(-3, 3), max_size=3)),
}


@dataclass(slots=True)
class Grammar:
    """The forms that an implementation can be asked about."""

    without: frozenset[str] = frozenset()
    #: The kinds that it has.
    kinds: frozenset[str] = frozenset(LITERALS)
    #: Forms that it reads otherwise than cel-go, as they are in `forms`.
    differing: frozenset[str] = frozenset()
    forms: dict[str, list[Form]] = field(init=False)

    def __post_init__(self) -> None:
        self.forms = {kind: [] for kind in self.kinds}
        assert self.differing <= {form.text for form in FORMS}
        for form in FORMS:
            used = {form.kind, *filter(None, sum(PLACE.findall(form.text), ()))}
            if form.needs not in self.without and form.text not in self.differing and used <= self.kinds:
                self.forms[form.kind].append(form)

    def expressions(self) -> st.SearchStrategy[str]:
        """Expressions whose value is of any kind but an optional, which cannot be handed out everywhere."""
        kinds = sorted(self.kinds - {"opt"})
        names = {name: kind for name, (kind, _) in VALUES.items()}
        return st.sampled_from(kinds).flatmap(lambda kind: self._of(kind, names, 3))

    @st.composite
    @staticmethod
    def _drawn(draw: st.DrawFn, self: Grammar, kind: str, names: dict[str, str], depth: int) -> str:
        simple = [name for name, its in names.items() if its == kind] + LITERALS[kind].split(" ")
        forms = self.forms[kind] if depth else []
        if not forms or draw(st.integers(0, 5)) == 0:
            return draw(st.sampled_from(simple))
        if draw(st.integers(0, 9)) == 0:
            parts = [draw(self._of(each, names, depth - 1)) for each in ("bool", kind, kind)]
            return f"({parts[0]} ? {parts[1]} : {parts[2]})"
        text, known = draw(st.sampled_from(forms)).text, dict(names)

        def filled(match: re.Match[str]) -> str:
            place, new = match.groups()
            if place:
                return draw(self._of(place, known, depth - 1)) if place in LITERALS else match.group()
            name = f"v{len(known)}"
            known[name] = new
            return name

        return PLACE.sub(filled, text)

    def _of(self, kind: str, names: dict[str, str], depth: int) -> st.SearchStrategy[str]:
        return self._drawn(self, kind, names, depth)


VARIABLES = st.fixed_dictionaries({name: values for name, (_, values) in VALUES.items()})
