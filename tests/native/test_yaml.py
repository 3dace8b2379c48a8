"""Plain YAML is read by native code as PyYAML reads it: what it does not doubt has the same values and places."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.native.twoways import needs_native
from tests.tables import each
from tests.thorough import drawn
from validation_gen.diagnostics import Diagnostics
from validation_gen.kubernetes import positions
from validation_gen.kubernetes.manifests import parse
from validation_gen.kubernetes.yaml import Document, places, read_documents, read_unusual
from validation_gen.runtime import native

pytestmark = needs_native

TESTDATA = Path(__file__).parents[2] / "testdata"


def is_quick(text: str) -> bool:
    """Whether native code has read a text, after a look whether all of that is right."""
    try:
        (found,) = read_documents(text)
    except (yaml.YAMLError, ValueError):  # an error, or another number of documents
        return False
    if found.node is not None:
        return False
    (wanted,) = read_unusual(text)
    assert spelled(found) == spelled(wanted), text
    if (known := places(text)) is not None:
        slow = positions._Text(text)
        for way in ways(wanted.value):
            assert positions._in_places(known, way) == positions._in_yaml(slow, slow.node(0), way), (text, way)
    return True


def spelled(document: Document) -> str:
    """A document with the types of its values and the order of its members."""
    return repr((document.value, document.line, document.item_lines))


def ways(value: Any, way: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The ways to all parts of a value, and some to what is not there."""
    yield way
    yield (*way, "none")
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in members:
        yield from ways(inner, (*way, step))
    if isinstance(value, list):
        yield (*way, len(value))


# --- what is quick ----------------------------------------------------------------------------------------------------

PLAIN = [
    "a: b\n",
    "---\na: b",
    "# first\n\n---  # second\n# third\na: b # fourth\n\n# last",
    "a:\nb:\n  c:\n  -\n  - \n  - d: 1\n    e: 2\n\n  - - x\n    - y\n  -   z: 0\n      w: 1\n",
    "a:\n- b\n- c: d\n  e:\n  - f\n- g\nh: i\n",
    "- a\n- b: c\n",
    "items:\n# one\n- a: 1\n\n- b: 2\n- [1]\n- x\nkind: List\n",
    "items: x\n",
    "a: one\n  two\n\n\n  three # four\nb:\n  five\n   six\n",
    "a: one - two\n  - three\n  # not three\n",
    "a:\n - b\n  - c\n",
    "a: one\n  - three\n  ? four\n  & five\n",
    "a: 'it''s'\nb: 'one\n  two ''x''\n\n  three  \n  '\nc: ''\n",
    'a: "\\"\\\\\\/\\n\\t\\r\\x41\\u00e4\\u20ac\\_"\nb: "one\n  two\n\n  three\\\n   \\ four \\\n  five"\nc: ""\n',
    "a: |\n  one\n   two\n\n  three\n\n\nb: |-\n    x\nc: |+\n  y\n\n\nd: |2\n   z\n",
    "a: >\n  one\n  two\n\n  three\n   four\n  five\n\n\n   six\n  seven\n\nb: >-\n  x\n  y\nc: >+  # keep\n  z\n\n",
    "a: |\n\n  one\n  \n    \n  two\n      ",
    "a: |\n  one",
    "a:\n  |\n  one\nb:\n- >\n  two\n",
    "a: |\n  one\ttwo\n  # three\nb: c\n",
    "a: []\nb: {}\nc: [ a, 'b', \"c\", 1, -1, 1.5, true, ~, [x, {k: z, 'w': []}] ]\nd: {a: 1, b: [2]}  # e\n",
    "a: 1\nb: -1\nc: +1\nd: 017\ne: 0x1F\nf: 0b11\ng: 1_000\nh: 1e3\ni: 1.50\nj: .5\nk: 0o7\nl: 00\nm: -0\nn1: 1e400\n",
    "a: 18446744073709551615\nb: 18446744073709551616\nc: -9223372036854775808\nd: 999999999999999999\ne: 1:20\n",
    "a: yes\nb: No\nc: y1\nd: on\ne: OFF\nf: ~\ng: null\nh: NULL\ni: Null\nj: nULL\nk: True\nl: TRUE\nm: tRUE\n",
    "a: 2001-12-14\nb: 10.0.0.1\nc: 1.2.3\nd: '1'\ne: =\nf: <<\ng: a#b\nh: a:b\ni: http://x/?y#z\nj: -x\nk: --- x\n",
    "a: :8080\nc: :x\n  y\n:d: :#e\n",
    "- :80\n- :a: :b\n",
    "'a': 1\n\"b\" : 2\nc d: 3\ne : 4\n'<<': 5\n$f: 6\n.g: 7\n/h: 8\n",
    "a: ä\n'ö': \U0001f600 x\nü:\n- é: 1\n  b: ñ\n",
    "  \n\na:\n",
    f"{'k' * 500}: v\n",
    "a: x\n" + "".join(f"{'  ' * n}k{n}:\n" for n in range(60)),
]


@each("text", PLAIN)
def test_plain_texts_are_read_quickly(text: str) -> None:
    assert is_quick(text)


UNUSUAL = [
    "",
    "a",
    "'a'",
    "[a]",
    "# nothing\n",
    "---\n",
    " a: b\n",
    "a: b\n---\nc: d\n",
    "a: b\n...\n",
    "--- a: b\n",
    "%YAML 1.1\n---\na: b\n",
    "a: &x b\nc: *x\n",
    "a: !!str 1\n",
    "? a\n: b\n",
    "a: {<<: {b: 1}}\n",
    "<<: {b: 1}\n",
    "1: a\n",
    "y: a\n",
    "~: a\n",
    "a: 1\na: 2\n",
    "a: {b: 1, b: 2}\n",
    "a: .inf\n",
    "a: b: c\n",
    "a: - b\n",
    "a: b\n c: d\n",
    "a:\n  b: 1\n c: 2\n",
    "a:\n  - b\n c: d\n",
    "- a\nb: c\n",
    "a: b\r\nc: d\r\n",
    "a:\tb\n",
    "\ta: b\n",
    "a: b\tc\n",
    "a: 'b\n",
    "a: 'b' c\n",
    "a: 'b'#c\n",
    "a: 'b\nc'\n",
    'a: "\\q"\n',
    'a: "\\u12"\n',
    'a: "\\ud800"\n',
    'a: "\\x0"\n',
    'a: "b\\',
    "a: |x\n  b\n",
    "a: |\n     \n  b\n",
    "a: |\n",
    "a: |\n\tb\n",
    "a: |\nb: c\n",
    "a: [b\n  , c]\n",
    "a: [b,]\n",
    "a: [b c]\n",
    "a: [b: c]\n",
    "a: {b}\n",
    "a: {b: }\n",
    "a: [b] c\n",
    "a: [:b]\n",
    "a: {:b: c}\n",
    "a: :\n",
    "a: :\tb\n",
    "a: @b\n",
    "a: `b`\n",
    "a: %b\n",
    "a: b\x85c: d\n",
    "a: b\u2028c: d\n",
    "a: \ufeffb\n",
    "a: \x7f\n",
    "a: b\x00\n",
    "a: \ud800\n",
    f"{'k' * 1100}: v\n",
    "a: {" + "k" * 600 + ": v}\n",
    "a: " + "[" * 500 + "]" * 500,
    "".join(f"{' ' * n}k:\n" for n in range(500)),
    "- " * 500 + "x",
]


@each("text", UNUSUAL)
def test_unusual_texts_are_left_to_pyyaml(text: str) -> None:
    assert not is_quick(text)
    assert places(text) is None


def test_a_function_that_fails_is_a_doubt() -> None:
    def fails(_: str) -> Any:
        raise ZeroDivisionError

    def stops(_: str) -> Any:
        raise KeyboardInterrupt

    assert native.accept is not None
    assert native.accept.read_yaml("a: yes\n", fails, 10) is None
    with pytest.raises(KeyboardInterrupt):
        native.accept.read_yaml("a: yes\n", stops, 10)


def test_values_are_none_of_each_other() -> None:
    (found,) = read_documents("a: {b: [1]}\nc: {b: [1]}\n")
    assert found.value["a"] == found.value["c"]
    assert found.value["a"] is not found.value["c"]
    assert found.value["a"]["b"] is not found.value["c"]["b"]


# --- whatever is written ----------------------------------------------------------------------------------------------

TOKENS = [
    *("a", "b", "key", "items", "x y", "1", "-1", "0x1f", "1.5", "1e3", "007", "yes", "n", "~", "null", ".5", ".inf"),
    *("a: ", "b: ", "c:", "items:", "- ", "-", "- - ", "? ", ": ", ":", "#", " # c", "'", "''", '"', "'q'", '"q"'),
    *("|", ">", "|-", ">+", "|2", "[", "]", "{", "}", "[]", "{}", ", ", "[a, b]", "{a: b}", "&x", "*x", "!!str "),
    *("\\", "\t", "\r", "é", "\U0001f600", "\u2028", "\x85", "@", "`", "%", "<<", "=", '"\\n"', "---", "..."),
    *("\n", "\n  ", "\n    ", "\n- ", "\n  - ", "\n\n"),
]


def drawn_text(random: random.Random) -> str:
    """Lines that are mostly YAML."""
    lines = []
    for _ in range(random.randint(1, 9)):
        indent = " " * random.choice((0, 0, 0, 2, 2, 2, 4, 4, 3, 1, 6))
        lead = random.choice(("", "", "- ", "- ", "- - "))
        name = random.choice(("a: ", "b: ", "c:", "items:", "'d': ", '"e f" : ', "", "", "g1: ", "h: "))
        value = random.choice(
            (
                "",
                "",
                *TOKENS,
                ":8080",
                ":b c",
                "one two",
                "'it''s",
                "one\n",
                '"x \\',
                "end'",
                'end"',
                "|\n",
                ">\n",
                ">-\n",
            )
        )
        comment = random.choice(("", "", "", "", " # c", "  "))
        lines.append(f"{indent}{lead}{name}{value}{comment}")
    return "\n".join(lines) + random.choice(("", "\n", "\n\n", "\n  "))


def damaged(text: str, random: random.Random) -> str:
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(text) + 1)
        kind = random.randrange(4)
        if kind == 0:
            text = text[:at] + random.choice(TOKENS) + text[at:]
        elif kind == 1:
            text = text[:at] + text[at + random.randint(1, 4) :]
        elif kind == 2:  # another indentation
            begin = text.rfind("\n", 0, at) + 1
            text = text[:begin] + random.choice((" ", "  ", "    ")) + text[begin:]
        else:
            text = text[:at] + random.choice("\n :-#'\"|>[]{}\\") + text[at + 1 :]
    return text


def test_drawn_texts_are_read_alike() -> None:
    draws = random.Random(5)
    texts = [drawn_text(draws) for _ in range(drawn(4000))]
    quick = sum(map(is_quick, texts))
    assert quick > len(texts) / 50


def test_damaged_texts_are_read_alike() -> None:
    draws = random.Random(6)
    texts = [damaged(draws.choice(PLAIN), draws) for _ in range(drawn(4000))]
    quick = sum(map(is_quick, texts))
    assert quick > len(texts) / 4


def samples() -> list[str]:
    found = []
    for file in sorted(TESTDATA.rglob("*.y*ml")):
        text = file.read_bytes().decode(errors="replace")
        found += [part for part in re.split(r"(?m)^(?=---\s)", text) if part.strip() and len(part) < 20_000]
    return found


def test_texts_of_the_testdata_are_read_alike() -> None:
    texts = samples()
    assert len(texts) > 100
    assert sum(map(is_quick, texts)) > 0.7 * len(texts)


def test_damaged_testdata_is_read_alike() -> None:
    draws = random.Random(7)
    texts = [text for text in samples() if len(text) < 1500]
    cases = [damaged(draws.choice(texts), draws) for _ in range(drawn(800))]
    assert sum(map(is_quick, cases)) > len(cases) / 4


def test_findings_have_the_same_places() -> None:
    text = "kind: List\nitems:\n- kind: A\n  spec: {a: [x, 'é', y]}\n- kind: B\n  spec:\n    - |\n      z\n"
    quick = parse("f.yaml", text.encode(), Diagnostics())
    slow = parse("f.yaml", text.replace("kind: List", "kind: !!str List").encode(), Diagnostics())
    assert [(each.obj, each.line) for each in quick] == [(each.obj, each.line) for each in slow]
    for one, other, way in zip(quick, slow, (("spec", "a", 2), ("spec", 0)), strict=True):
        assert one.positions.span(way) == other.positions.span(way)
