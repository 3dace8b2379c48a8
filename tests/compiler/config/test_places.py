"""Positions in TOML: whatever the parser of Python finds has its place, and the place is the right one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from validation_gen.compiler.config.files import KeyPath as Path
from validation_gen.compiler.config.files import places

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DOCUMENT = '''\
# a = 1
title = "a # \\" b"   # c
"quoted key".'single' = [1, 2,  # one
  "three", ["x]", {a = 1, b = {c = 'd}'}}],
]
when = 1979-05-27 07:32:00
many = """
a = "b"
[c]
\\""" still"""
raw = \'\'\'it\'s""" \\\'\'\'\'
empty = ""
none = []

[server . "host.name"]
port = 0x1F

[[fruit]]
name = "apple"
  [fruit.physical]
  color = "red"
  [[fruit.variety]]
  name = "red delicious"
  [[fruit.variety]]
  name = "granny smith"

[[fruit]]
name = "banana"
  [[fruit.variety]]
  name = "plantain"
'''


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, dict):
        for name, each in value.items():
            yield (*path, name), each
            yield from leaves(each, (*path, name))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield (*path, index), each
            yield from leaves(each, (*path, index))


def excerpt(text: str, path: Path) -> str:
    span = places("a.toml", text).value(path)
    return text.split("\n")[span.line - 1][span.column - 1 : span.end_column - 1]


def test_everything_has_a_place() -> None:
    found = places("a.toml", DOCUMENT)
    for path, _ in leaves(tomllib.loads(DOCUMENT)):
        assert found.key(path).line, path
        assert found.value(path).line, path
    # Nothing else is taken for a key, such as what stands in comments and texts.
    assert set(found.keys) <= {path for path, _ in leaves(tomllib.loads(DOCUMENT))}


@pytest.mark.parametrize(
    ("path", "line", "text"),
    [
        (("title",), 2, '"a # \\" b"'),
        (("quoted key", "single", 1), 3, "2"),
        (("quoted key", "single", 2), 4, '"three"'),
        (("quoted key", "single", 3, 1, "b", "c"), 4, "'d}'"),
        (("when",), 6, "1979-05-27 07:32:00"),
        (("many",), 7, '"""'),
        (("empty",), 12, '""'),
        (("none",), 13, "[]"),
        (("server", "host.name"), 15, '"host.name"'),
        (("server", "host.name", "port"), 16, "0x1F"),
        (("fruit", 0, "physical", "color"), 21, '"red"'),
        (("fruit", 0, "variety", 1, "name"), 25, '"granny smith"'),
        (("fruit", 1), 27, "fruit"),
        (("fruit", 1, "variety", 0, "name"), 30, '"plantain"'),
    ],
    ids=str,
)
def test_values_are_where_they_stand(path: Path, line: int, text: str) -> None:
    assert places("a.toml", DOCUMENT).value(path).line == line
    assert excerpt(DOCUMENT, path) == text


def test_line_ends_of_windows() -> None:
    found = places("a.toml", 'a = 1\r\nb = "c"\r\n')
    assert (found.value(("b",)).line, found.value(("b",)).column, found.value(("b",)).end_column) == (2, 5, 8)


def test_what_is_not_there_is_in_the_file() -> None:
    assert str(places("a.toml", "a = 1").key(("b",))) == "a.toml"


# --- whatever the parser takes ---------------------------------------------------------------------------------------

_SIGNS = ["[", "]", "[[", "]]", "{", "}", ",", ".", "\n", "\r\n", " ", "# note\n", "\\", '"', "'", " = ", "="]
_WORDS = [
    "a",
    "b.c",
    '"d e"',
    "'f'",
    "1",
    '"x"',
    "'y'",
    '"""z"""',
    "'''w'''",
    '"\\""',
    "true",
    "1.5",
    "1979-05-27",
    "é",
]
_PIECES = st.sampled_from([*_SIGNS, *_WORDS])


@given(st.lists(_PIECES, max_size=25).map("".join))
def test_any_document_of_the_parser(text: str) -> None:
    try:
        parsed = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    found = places("a.toml", text.replace("\r\n", "\n"))
    for path, _ in leaves(parsed):
        assert found.key(path).line


_NAMES = st.text(max_size=4)
_VALUES = st.recursive(
    st.one_of(st.integers(), st.booleans(), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_NAMES, inner, max_size=3)),
    max_leaves=8,
)


def written(value: Any) -> str:
    """A value as TOML, with gaps wherever there may be some."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return '"' + "".join(f"\\U{ord(c):08x}" if not c.isalnum() else c for c in value) + '"'
    if isinstance(value, list):
        return "[ " + "".join(f"{written(each)} ,# ]\n" for each in value) + "]"
    return "{ " + ", ".join(f"{written(name)} = {written(each)}" for name, each in value.items()) + "}"


@given(st.dictionaries(_NAMES, _VALUES, max_size=3))
def test_any_values(document: dict[str, Any]) -> None:
    text = "".join(f"{written(name)} = {written(value)}\n" for name, value in document.items())
    try:
        parsed = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return  # inline tables with comments, which only newer parsers take
    found = places("a.toml", text)
    for path, value in leaves(parsed):
        span = found.value(path)
        if not isinstance(value, dict | list):
            line = text.split("\n")[span.line - 1]
            assert tomllib.loads(f"x = {line[span.column - 1 : span.end_column - 1]}")["x"] == value
