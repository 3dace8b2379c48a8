"""Where parts of objects stand in YAML and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tables import each
from tests.thorough import drawn
from validation_gen.diagnostics import Diagnostics
from validation_gen.kubernetes.manifests import Manifest, each_manifest, read_manifests
from validation_gen.runtime import native

YAML = """\
# a robot
kind: Robot
spec:
  name: "talos"
  arms: [{side: left}, {side: right}]
  long: |
    one
    two
  empty:
  shared: &shared
    color: red
  merged:
    <<: *shared
    size: 3
  again: *shared
---
kind: Robot
ünïcode: {é: ä}
"""

JSON = """{"kind": "Robot",
\t"spec": {"name": "\\u0074alos", "arms": [ {"side": "left"},
 {"side" : "right"}], "n": -1.5e3, "empty": [], "nothing": null}
}
{"kind": "Robot", "a": 1}"""


def manifests(directory: Path, text: str | bytes, name: str = "a.yaml") -> list[Manifest]:
    file = directory / name
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    problems = Diagnostics()
    found = read_manifests([str(file)], problems)
    assert not problems.items
    return found


def place(manifest: Manifest, *path: str | int) -> tuple[int, int, str]:
    """The line, the column, and the text of a span."""
    span = manifest.positions.span(path)
    line = Path(span.file).read_text(encoding="utf-8").split("\n")[span.line - 1]
    return span.line, span.column, line[span.column - 1 : span.end_column - 1]


@each(
    ("path", "wanted"),
    [
        (("kind",), (2, 7, "Robot")),
        (("spec",), (3, 1, "spec")),
        (("spec", "name"), (4, 9, '"talos"')),
        (("spec", "arms"), (5, 3, "arms")),
        (("spec", "arms", 1), (5, 24, "{")),
        (("spec", "arms", 1, "side"), (5, 31, "right")),
        (("spec", "arms", 2), (5, 3, "arms")),
        (("spec", "long"), (6, 9, "|")),
        (("spec", "empty"), (9, 3, "empty")),
        (("spec", "merged", "color"), (11, 12, "red")),
        (("spec", "merged", "size"), (14, 11, "3")),
        (("spec", "again", "color"), (11, 12, "red")),
        (("spec", "missing", "deeper", 3), (3, 1, "spec")),
        (("spec", "name", "deeper"), (4, 3, "name")),
        ((), (2, 1, "k")),
    ],
)
def test_yaml(tmp_path: Path, path: tuple[str | int, ...], wanted: tuple[int, int, str]) -> None:
    assert place(manifests(tmp_path, YAML)[0], *path) == wanted


def test_later_documents(tmp_path: Path) -> None:
    assert place(manifests(tmp_path, YAML)[1], "ünïcode", "é") == (18, 14, "ä")


@each(
    ("path", "wanted"),
    [
        (("kind",), (1, 10, '"Robot"')),
        (("spec",), (2, 2, '"spec"')),
        (("spec", "name"), (2, 19, '"\\u0074alos"')),
        (("spec", "arms", 0), (2, 43, "{")),
        (("spec", "arms", 1, "side"), (3, 12, '"right"')),
        (("spec", "n"), (3, 28, "-1.5e3")),
        (("spec", "empty"), (3, 36, '"empty"')),
        (("spec", "empty", 0), (3, 36, '"empty"')),
        (("spec", "nothing"), (3, 60, "null")),
        (("spec", "other"), (2, 2, '"spec"')),
        (("spec", 0), (2, 2, '"spec"')),
    ],
)
def test_json(tmp_path: Path, path: tuple[str | int, ...], wanted: tuple[int, int, str]) -> None:
    assert place(manifests(tmp_path, JSON, "a.json")[0], *path) == wanted


def test_a_stream_of_json(tmp_path: Path) -> None:
    assert place(manifests(tmp_path, JSON, "a.json")[1], "a") == (5, 24, "1")


@pytest.mark.parametrize("name", ["a.yaml", "a.json"])
def test_items_of_a_list(tmp_path: Path, name: str) -> None:
    text = '{"kind": "List", "items": [{"kind": "A", "a": 1},\n{"kind": "B", "b": 2}]}'
    assert place(manifests(tmp_path, text, name)[1], "b") == (2, 20, "2")


@pytest.mark.parametrize(
    "text",
    [
        b"\xef\xbb\xbfkind: Robot\nname: talos\n",
        "kind: Robot\nname: talos\n".encode("utf-16"),
        b"kind: Robot\r\nname: talos\r\n",
    ],
)
def test_encodings_and_line_ends(tmp_path: Path, text: bytes) -> None:
    span = manifests(tmp_path, text)[0].positions.span(("name",))
    assert (span.line, span.column, span.end_column) == (2, 7, 12)


def test_a_malformed_document_shifts_nothing(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text("a: b: c\n---\nkind: Robot\nname: talos\n", encoding="utf-8")
    (manifest,) = read_manifests([str(file)], Diagnostics())
    assert manifest.positions.span(("name",)).line == 4


texts = st.text('ab0é😀"\\:{}[],#- \n', max_size=4)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=12,
)


@settings(max_examples=drawn(60), deadline=None)
@given(
    st.dictionaries(texts, json_values, min_size=1, max_size=3),
    st.lists(texts | st.integers(0, 3), max_size=4),
    st.sampled_from([None, 2]),
)
def test_every_path_has_a_place(
    tmp_path_factory: pytest.TempPathFactory, obj: dict[str, Any], path: list[str | int], indent: int | None
) -> None:
    """Also paths that lead nowhere, in text that is read as JSON and as YAML."""
    text = json.dumps(obj, indent=indent)
    plain = json.dumps(obj, indent=indent, ensure_ascii=False)
    for name, content in (("a.json", text), ("b.yaml", f"# no JSON\n{plain}")):
        for manifest in manifests(tmp_path_factory.mktemp("a"), content, name):
            span = manifest.positions.span(path)
            assert span.line >= 1
            assert span.end_column > span.column >= 1


HOSTILE = {
    "anchors": "a: &a {x: 1, y: [z]}\nb: *a\nc:\n  <<: *a\n  x: 2\nd: [*a, *a]\n",
    "tags": "a: !!str 1\nb: !!map {x: !!int 3}\nc: !!binary aGk=\n",
    "keys": "1: a\n1.5: b\ntrue: c\n? d\n: e\n'f g': h\n",
    "flow": "{a: [1, {b: c}], 'd': \"e\"}\n",
    "tabs": "a:\tb\nc: [\t1,\t2]\n",
    "block": "a: |\n  b\n   c\nd: >-\n  e\n\n  f\n",
    "documents": "a: 1\n--- {b: 2}\n...\n---\nc: [3]\n",
    "directive": "%YAML 1.1\n---\na: 1\n---\nb: [2]\n",
    "line ends": "a: 1\r\nb:\r\n- c\r\n- d: e\r\n",
    "mark": "\ufeffa: 1\nb: ü😀\nc: [é, d]\n",
    "list": "kind: AList\nitems:\n- {a: 1}\n-\n  b: 2\n",
    "error behind": "a: [1]\n---\nb: 'c\n---\nd: 1\n",
    "twice": "a: 1\n---\nb: 1\nb: 2\n---\nc: 3\n",
}


def _ways(value: Any, way: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    yield way
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, part in inner:
        yield from _ways(part, (*way, step))


@each("name", HOSTILE)
def test_places_are_the_same_while_a_document_is_there_and_later(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.yaml"
    file.write_bytes(HOSTILE[name].encode())
    with monkeypatch.context() as pure:
        pure.setattr(native, "accept", None)  # of what it reads, no document is made
        at_once = [
            (manifest.obj, [manifest.positions.span(way) for way in _ways(manifest.obj)])
            for manifest in each_manifest([str(file)], Diagnostics())
            if manifest.positions.node is not None and manifest.positions.node() is not None
        ]
    later = read_manifests([str(file)], Diagnostics())
    assert all(each.positions.node is None or each.positions.node() is None for each in later)
    assert at_once
    assert (
        at_once == [(each.obj, [each.positions.span(way) for way in _ways(each.obj)]) for each in reversed(later)][::-1]
    )


def test_manifests_are_read_one_at_a_time(tmp_path: Path) -> None:
    first = tmp_path / "a.yaml"
    first.write_text("a: 1\n---\nb: 2\n---\nc: 'd\n", encoding="utf-8")
    found = Diagnostics()
    read = each_manifest([str(first), str(tmp_path / "b.yaml")], found)
    assert [next(read).obj, next(read).obj] == [{"a": 1}, {"b": 2}]
    assert not found.items
    assert not list(read)
    assert [problem.code for problem in found.items] == ["VG905", "VG901"]
