"""Manifests: YAML and JSON as the Kubernetes clients read them, and what is said of files that are neither."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tables import each
from tests.thorough import drawn
from validation_gen.diagnostics import Diagnostics
from validation_gen.kubernetes.manifests import Manifest, read_manifests
from validation_gen.kubernetes.positions import Positions


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty directory, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def read(here: Path) -> Any:
    """Reads one file with the given content, which must have nothing wrong in it."""

    def read(content: str | bytes) -> list[Any]:
        found, problems = both(content)
        assert problems == []
        return [manifest.obj for manifest in found]

    return read


def both(content: str | bytes, name: str = "a.yaml") -> tuple[list[Manifest], list[tuple[str, str, str]]]:
    """The objects of a file in the current directory, and what was found wrong."""
    Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
    diagnostics = Diagnostics()
    found = read_manifests([name], diagnostics)
    return found, [(d.code, str(d.span), d.message) for d in diagnostics.sorted()]


def exact(value: Any) -> str:
    """A value with the types of its numbers, which `==` does not tell apart."""
    return repr(value)


# --- scalars ---------------------------------------------------------------------------------------------------------


@each(
    ("text", "value"),
    [
        # words
        ("y", True),
        ("Yes", True),
        ("TRUE", True),
        ("tRUE", "tRUE"),
        ("NO", False),
        ("~", None),
        ("", None),
        ("Null", None),
        ("'y'", "y"),
        ('""', ""),
        # integers
        ("+12", 12),
        ("685_230", 685230),
        ("02472256", 685230),
        ("0o17", 15),
        ("0x_0A_74_AE", 685230),
        ("-0x1F", -31),
        ("0b1010_0111_0100_1010_1110", 685230),
        ("_1", "_1"),
        ("9223372036854775807", 2**63 - 1),
        ("-9223372036854775808", -(2**63)),
        ("18446744073709551615", 2**64 - 1),
        ("18446744073709551616", 2.0**64),
        ("0b" + "1" * 63, 2**63 - 1),
        ("9" * 5000, "9" * 5000),
        # floats: whole ones become integers on their way through JSON
        ("-.1", -0.1),
        ("1.0", 1),
        ("-0.0", 0),
        ("1e3", 1000),
        ("5.", 5),
        ("685.230_15e+03", 685230.15),
        ("09", 9),
        ("9223372036854775808.0", 2**63),
        ("1e20", 1e20),
        ("1e-400", 0),
        ("1e999", "1e999"),
        # what only looks like a number
        ("12:30:45", "12:30:45"),
        ("1.2.3", "1.2.3"),
        ("0x", "0x"),
        ("+", "+"),
        (".", "."),
        ("1e", "1e"),
        ("=", "="),
        ("NaN", "NaN"),
        ("1٣", "1٣"),
        # timestamps
        ("2001-01-01", "2001-01-01"),
        ("!!timestamp 2001-01-01", "2001-01-01"),
        # tags
        ("!!str 1", "1"),
        ("!!int '5'", 5),
        ("!!float 5", 5),
        ("!!bool yes", True),
        ("!!null ''", None),
        ("! 5", 5),
        ("!!binary aGVsbG8=", "hello"),
        ("!!binary |\n aGVs\n bG8=", "hello"),
        ("!!binary gIGC", "\ufffd\ufffd\ufffd"),
        ("!!binary 4oI=", "\ufffd\ufffd"),
        ("!!set {a, b}", {"a": None, "b": None}),
        ("!!pairs [a: 1, a: 2]", [{"a": 1}, {"a": 2}]),
        # text
        ('"\\0\\e\\x41\\u00e9\\U0001F600"', "\0\x1bAé😀"),
        ("|\n literal\n \ttext\n", "literal\n\ttext\n"),
        (">-\n folded\n text\n", "folded text"),
        ("[A,B,C,]", ["A", "B", "C"]),
    ],
)
def test_scalars(read: Any, text: str, value: object) -> None:
    assert exact(read(f"v: {text}\n")) == exact([{"v": value}])


@each(
    ("key", "name"),
    [
        ("a", "a"),
        ("1", "1"),
        ("0x10", "16"),
        ("y", "true"),
        ("no", "false"),
        ("1.20", "1.2"),
        ("1.0", "1"),
        ("1.23456789", "1.2345679"),
        ("1e6", "1e+06"),
        ("1e40", ".inf"),
        ("-.inf", "-.inf"),
        (".NaN", ".nan"),
        ("2001-01-01", "2001-01-01"),
        ("12:30", "12:30"),
        ("'<<'", "<<"),
        ("? a", "a"),
    ],
)
def test_keys_become_strings(read: Any, key: str, name: str) -> None:
    assert read(f"{key}\n: v\n" if key.startswith("?") else f"{key}: v\n") == [{name: "v"}]


# --- anchors ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: &x {b: [1]}\nc: *x\n&k key: *k\n", {"a": {"b": [1]}, "c": {"b": [1]}, "key": "key"}),
        ("a: &x 1\n*x : 2\n", {"a": 1, "1": 2}),
        ("a: &x {b: &x 1, c: *x}\nd: *x\n", {"a": {"b": 1, "c": 1}, "d": 1}),
        ("a: &x 1\nb: *x\nc: &x 2\nd: *x\n", {"a": 1, "b": 1, "c": 2, "d": 2}),
        ("a: &x 1.5\nb: [*x, *x]\n", {"a": 1.5, "b": [1.5, 1.5]}),
    ],
)
def test_anchors(read: Any, text: str, value: object) -> None:
    assert read(text) == [value]


@each(
    ("text", "value"),
    [
        ("{<<: *x}", {"p": 1, "q": 1}),
        ("{<<: *x, p: 3}", {"p": 3, "q": 1}),
        ("{<<: [*x, *y]}", {"p": 1, "q": 1, "r": 2}),
        ("{<<: [*y, *x], q: 3}", {"p": 2, "q": 3, "r": 2}),
        ("{<<: {<<: *x, p: 5}, s: 6}", {"p": 5, "q": 1, "s": 6}),
        ("{a: 1, <<: *y}", {"a": 1, "p": 2, "r": 2}),
        ("{!!merge <<: *x}", {"p": 1, "q": 1}),
        ("{'<<': *x}", {"<<": {"p": 1, "q": 1}}),
        ("[<<]", ["<<"]),
    ],
)
def test_merge_keys(read: Any, text: str, value: object) -> None:
    assert read(f"x: &x {{p: 1, q: 1}}\ny: &y {{p: 2, r: 2}}\nv: {text}\n")[0]["v"] == value


# --- documents -------------------------------------------------------------------------------------------------------


def test_documents_and_their_lines(here: Path) -> None:
    found, problems = both("# one\n---\na: 1\n---\n---\n# nothing\n---\n\n- 2\n...\n---\nnull\n---# three\n{c: 3}\n")
    assert problems == []
    assert [(manifest.line, manifest.obj) for manifest in found] == [(3, {"a": 1}), (9, [2]), (14, {"c": 3})]


def test_directives(read: Any) -> None:
    text = "%YAML 1.1\n# a\n---\na: '1'\n---\nb: 2\n...\n%YAML 1.1\n---\nc: 3\n"
    assert read(text) == [{"a": "1"}, {"b": 2}, {"c": 3}]


@each("content", ["", "\n", "# text\n", "---\n", "---\n---\n...\n", "~\n", "\ufeff"])
def test_nothing_is_an_error(here: Path, content: str) -> None:
    found, problems = both(content)
    assert (found, problems) == ([], [("VG902", "a.yaml", "there are no objects here")])


def test_items_of_lists_are_objects(here: Path) -> None:
    found, _ = both("kind: List\napiVersion: v1\nitems:\n- kind: A\n\n-\n  kind: B\n- 5\n- null\n---\nkind: C\n")
    assert [(m.line, m.obj) for m in found] == [
        (4, {"kind": "A"}),
        (7, {"kind": "B"}),
        (8, 5),
        (9, None),
        (11, {"kind": "C"}),
    ]


def test_items_may_leave_their_kind_to_the_list(read: Any) -> None:
    items = "items: [{a: 1}, {kind: X, a: 2}, {apiVersion: v9}, 5]\n"
    own = {"apiVersion": "g/v1", "kind": "Robot"}
    assert read(f"kind: RobotList\napiVersion: g/v1\n{items}") == [
        {"a": 1, **own},
        {"kind": "X", "a": 2},
        {"apiVersion": "v9"},
        5,
    ]
    assert read(f"kind: List\napiVersion: v1\n{items}")[0] == {"a": 1}
    assert read("kind: List\nitems: &x [1]\nagain: *x\n") == [1]
    assert read("again: &x [1]\nkind: List\nitems: *x\n") == [1]


@pytest.mark.parametrize("text", ["kind: Robot\nitems: [1]", "kind: List\nitems: {a: 1}", "kind: List", "items: [1]"])
def test_what_is_no_list(read: Any, text: str) -> None:
    (obj,) = read(text)
    assert isinstance(obj, dict)


def test_json(read: Any) -> None:
    assert exact(read('{"a": 1.0, "b": 1e3, "c": 0.5, "d": "\\ud83d\\ude00", "e": "\\/", "f": 12e-1}')) == exact(
        [{"a": 1, "b": 1000, "c": 0.5, "d": "😀", "e": "/", "f": 1.2}]
    )
    assert read('{"a": "y", "b": "2001-01-01", "<<": {"c": 1}}') == [{"a": "y", "b": "2001-01-01", "<<": {"c": 1}}]
    assert read('{"%s": 1}' % ("x" * 5000)) == [{"x" * 5000: 1}]
    assert read('\ufeff {\n\t"a":\n\t1}\n') == [{"a": 1}]
    assert read('{"a": "\\ud800"}') == [{"a": "\ud800"}]


def test_a_stream_of_json(here: Path) -> None:
    found, problems = both('{"a": 1}{"b": 2}\n\n {"c":\n3}\n[4]', "a.json")
    assert problems == []
    assert [(m.line, m.obj) for m in found] == [(1, {"a": 1}), (1, {"b": 2}), (3, {"c": 3}), (5, [4])]


def test_yaml_that_begins_like_json(read: Any) -> None:
    assert read('{"a": 1,}\n---\n{b: y}\n') == [{"a": 1}, {"b": True}]
    assert read('{"a": NaN}') == [{"a": "NaN"}]


@each("encoding", ["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be"])
@each("text", ["é: 日本 😀\n", '{"é": "日本 😀"}'])
def test_encodings(read: Any, encoding: str, text: str) -> None:
    mark = "\ufeff" if encoding.startswith("utf-16") else ""
    assert read(f"{mark}{text}".encode(encoding)) == [{"é": "日本 😀"}]


# --- mistakes --------------------------------------------------------------------------------------------------------


@each(
    ("content", "place", "words"),
    [
        ("a: 1\nb: 2\na: 3\n", "3:1", "the key `a` is there twice"),
        ("1: a\n'1': b\n", "2:1", "the key `1` is there twice"),
        ("y: a\non: b\n", "2:1", "the key `true` is there twice"),
        ('{"a": 1,\n "a": 2}', "2:2", "the key `a` is there twice"),
        ("null: a\n", "1:1", "a key must not be null"),
        ("[a]: b\n", "1:1", "a key must be a scalar"),
        ("a: &x [1]\n*x : 2\n", "1:4", "a key must be a scalar"),
        ("a: *x\n", "1:4", "undefined alias"),
        ("a: &x 1\n---\na: *x\n", "3:4", "undefined alias"),
        ("&x [*x]\n", "1:5", "contains itself"),
        ("a: &x {b: [*x]}\n", "1:12", "contains itself"),
        ("x: &x {p: 1}\nv: {p: 2, <<: *x}\n", "2:11", "`<<` brings the key `p` again"),
        ("v: {<<: 5}\n", "1:9", "`<<` wants an object"),
        ("v: .nan\n", "1:4", "NaN is not a JSON number"),
        ("v: [1, -.Inf]\n", "1:8", "-Inf is not a JSON number"),
        ('{"a": 1e999}', None, "1e999 is more than a JSON number can be"),
        ('{"a": %s}' % ("9" * 400), None, "9" * 40 + " is more than a JSON number can be"),
        ("v: !Ref 5\n", "1:4", "the tag `!Ref` is not known"),
        ("v: !!python/object/apply:os.system [x]\n", "1:4", "the tag `!!python/object/apply:os.system` is not known"),
        ("v: !<tag:x,y> {}\n", "1:4", "the tag `tag:x,y` is not known"),
        ("!x k: 1\n", "1:1", "the tag `!x` is not known"),
        ("v: [!x a]\n", "1:5", "the tag `!x` is not known"),
        ("v: {<<: !x {a: 1}}\n", "1:9", "the tag `!x` is not known"),
        ("v: {<<: [!x {a: 1}]}\n", "1:10", "the tag `!x` is not known"),
        ("!x\nv: 1\n", "1:1", "the tag `!x` is not known"),
        (f"v: !{'x' * 100} 1\n", "1:4", f"the tag `!{'x' * 59}…` is not known"),
        ("%TAG ! tag:x,\n---\nv: !b 1\n", "1:1", "the directive `%TAG` is not allowed"),
        ("%YAML 1.1\n%TAG !e! tag:x,\n---\nv: 1\n", "2:1", "the directive `%TAG` is not allowed"),
        ("a: 1\n...\n# x\n%TAG !e! tag:x,\n---\nv: 1\n", "4:1", "the directive `%TAG` is not allowed"),
        ("v: !!int x\n", "1:4", "`x` is not of the type !!int"),
        ("v: !!int yes\n", "1:4", "not of the type !!int"),
        ("v: !!null x\n", "1:4", "not of the type !!null"),
        ("v: !!binary x\n", "1:4", "not base64"),
        ("v: !!binary é===\n", "1:4", "not base64"),
        ("v: !x!y z\n", "1:4", "tag"),
        ("a:\n\tb: 1\n", "2:1", "cannot start any token"),
        ("a: b: c\n", "1:5", "mapping values"),
        ("a: 'x\n", None, "end of stream"),
        ('a: "\\q"\n', None, "escape"),
        ('a: "\\ud83d\\ude00"\n', None, "escape"),
        ("a: x\0y\n", "1:5", "U+0000"),
        ("a: 1\nb: \x7f\n", "2:4", "U+007F"),
        (b"a: 1\n\xc3\xa9: caf\xe9\n", "2:7", "byte 0xe9 is not UTF-8"),
        (b"\xff\xfea\x00\x00\xd8", None, "UTF-16"),
        ("x" * 2000 + ": 1\n", "1:2001", "mapping values"),
        # Which of the last levels is told of depends on the release of PyYAML.
        ("a: " + "[" * 100_000, "1:100.", "nested deeper than 1000 levels"),
        ('{"a": ' + "[" * 100_000, "1:100.", "nested deeper than 1000 levels"),
        ("a: &x " + "[" * 100_000, None, "nested "),
        ("a: " + "{<<: " * 900 + "{}" + "}" * 900, "1:1", "nested too deeply"),
    ],
)
def test_malformed(here: Path, content: str | bytes, place: str | None, words: str) -> None:
    found, problems = both(content)
    assert len([m for m in found if m.obj != {"a": 1}]) == 0
    assert len(problems) == 1
    code, span, message = problems[0]
    assert code == "VG905"
    assert words in message
    assert span.startswith("a.yaml")
    assert place is None or re.fullmatch(f"a.yaml:{place}", span)


@pytest.mark.parametrize("head", [b"\x1f\x8b\x08\0", b"\x28\xb5\x2f\xfd", b"\x5f\x2a\x4d\x18\xff"])
def test_what_is_compressed_is_not_to_be_saved_as_text(here: Path, head: bytes) -> None:
    (here / "a.yaml").write_bytes(head)
    diagnostics = Diagnostics()
    assert read_manifests(["a.yaml"], diagnostics) == []
    (problem,) = diagnostics.items
    assert "unpack it first" in problem.help


@pytest.mark.parametrize(
    ("text", "lines", "places"),
    [
        ("a: 1\n---\nb: [\n---\nc: 1\n---\nd: *x\n---\n---\n{e: 2}\n---\n'f\n", [1, 5, 10], ["4:1", "7:4", "13:1"]),
        ("a: 1\n---\nb: \x00\n---\nc: 2\n", [1, 5], ["3:4"]),
        ("{a: 1} x\n---\n{b: 1} y\n---\n{c: 1}\n", [1, 3, 5], ["1:8", "3:8"]),
    ],
)
def test_mistakes_do_not_hide_other_documents(here: Path, text: str, lines: list[int], places: list[str]) -> None:
    found, problems = both(text)
    assert [manifest.line for manifest in found] == lines
    assert [span for _, span, _ in problems] == [f"a.yaml:{place}" for place in places]


@pytest.mark.parametrize(
    ("text", "lines", "place", "rest"),
    [
        ("--- {a: 1}\n", [], "1:1", "{a: 1}"),
        ("a: 1\n--- b: 2\n---\nc: 3\n", [1], "2:1", "b: 2"),
        ("a: 1\n---\nb: 2\n-----BEGIN\n", [1, 3], "4:1", "--BEGIN"),
        ("a: 1\n---\t!x\r\n", [1], "2:1", "!x"),
    ],
)
def test_only_a_comment_can_follow_a_separator(here: Path, text: str, lines: list[int], place: str, rest: str) -> None:
    found, problems = both(text)
    assert [manifest.line for manifest in found] == lines
    assert problems == [("VG905", f"a.yaml:{place}", f"invalid Yaml document separator: {rest}")]


@pytest.mark.parametrize("separator", ["---", "---# two", "--- # two", "---\t", "---\r"])
def test_separators(read: Any, separator: str) -> None:
    assert read(f"a: 1\n{separator}\nb: 2\n") == [{"a": 1}, {"b": 2}]


def test_aliases_cannot_explode(here: Path) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 30)]
    found, problems = both("\n".join(lines))
    assert found == []
    assert [message for _, _, message in problems] == ["the document repeats too much by aliases"]


def test_honest_aliases_are_no_bombs(read: Any) -> None:
    (obj,) = read("a: &a {b: [1, 2, 3]}\nc:\n" + "- *a\n" * 5000 + "d:\n" + "- [1, 2, 3, 4]\n" * 1000)
    assert len(obj["c"]) == 5000


@pytest.mark.parametrize("text", ["a: " + "[" * 990 + "]" * 990, '{"a": ' * 990 + "1" + "}" * 990])
def test_deep_documents(read: Any, text: str) -> None:
    (obj,) = read(text)
    depth = 0
    while isinstance(obj, dict | list) and obj:
        obj = obj["a"] if isinstance(obj, dict) else obj[0]
        depth += 1
    assert depth >= 990


@pytest.mark.parametrize("behind", ["", f"b: '{':' * 1000}'\n"])
@pytest.mark.parametrize("pieces", ["[]", ("{a: ", "}")])
def test_depths_are_counted_where_they_may_be_too_great(here: Path, pieces: tuple[str, str], behind: str) -> None:
    """Short texts do without counting, and end at the same depth."""
    begin, end = pieces
    for depth in (997, 998, 999, 1000, 1100):
        _, problems = both(f"a: {begin * depth}1{end * depth}\n{behind}")
        assert bool(problems) is (depth > 998), (depth, problems)


def test_tabs_have_a_suggestion(here: Path) -> None:
    (here / "tab.yaml").write_text("a:\n\tb: 1\n")
    diagnostics = Diagnostics()
    read_manifests(["tab.yaml"], diagnostics)
    assert diagnostics.items[0].help == "indent with blanks, not with tabs"


@settings(max_examples=drawn(200), deadline=None)
@given(st.binary(max_size=60) | st.text(alphabet="ab:-{}[]&*<>!|'\"#,? \n\t%@1.~\\\x00é", max_size=60).map(str.encode))
def test_nothing_raises(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.yaml"
    path.write_bytes(content)
    diagnostics = Diagnostics()
    found = read_manifests([str(path)], diagnostics)
    assert found or diagnostics.items
    for manifest in found:
        json.dumps(manifest.obj, allow_nan=False)
        assert manifest.line >= 1
        assert all(isinstance(part, str) for part in (*manifest.identity, manifest.name))


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


@settings(max_examples=drawn(150), deadline=None)
@given(st.dictionaries(st.text(), JSON_VALUES, max_size=4))
def test_json_is_read_as_json(tmp_path_factory: pytest.TempPathFactory, obj: dict[str, Any]) -> None:
    path = tmp_path_factory.getbasetemp() / "any.json"
    path.write_text(json.dumps({"k": obj}))
    diagnostics = Diagnostics()
    assert [m.obj for m in read_manifests([str(path)], diagnostics)] == [{"k": obj}]
    assert diagnostics.items == []


# --- identity and places ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("obj", "identity"),
    [
        (
            {"apiVersion": "v1", "kind": "A", "metadata": {"name": "a", "namespace": "n"}},
            ("v1", "A", "n", "a"),
        ),
        ({"apiVersion": 1, "kind": [], "metadata": {"name": {}, "namespace": None}}, ("", "", "", "")),
        ({"metadata": []}, ("", "", "", "")),
        (None, ("", "", "", "")),
        ([{"kind": "A"}], ("", "", "", "")),
    ],
)
def test_identity(obj: object, identity: tuple[str, ...]) -> None:
    manifest = Manifest(obj, "a.yaml", 1, Positions("a.yaml", "", 0))
    assert manifest.identity == identity
    assert manifest.name == identity[3]


def test_files_come_in_order_and_each_as_often_as_it_is_named(here: Path) -> None:
    for name in ("b/z.yaml", "b/a.json", "b/c/d.yml", "b/no.txt", "b/.hidden/e.yaml", "a.yaml", "odd name\n.txt"):
        path = here / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"n": name}))
    (here / "b/x.yaml").mkdir()
    (here / "b/loop").symlink_to("..")
    (here / "b/linked.yaml").symlink_to("../a.yaml")
    os.mkfifo(here / "b/pipe.yaml")
    diagnostics = Diagnostics()
    found = read_manifests(["odd name\n.txt", "b", "./a.yaml", "a.yaml"], diagnostics)
    assert diagnostics.items == []
    assert [m.obj["n"] for m in found] == [
        "odd name\n.txt",
        "b/.hidden/e.yaml",
        "b/a.json",
        "b/c/d.yml",
        "a.yaml",
        "b/z.yaml",
        "a.yaml",
        "a.yaml",
    ]
    assert found[4].file == "b/linked.yaml"


def test_a_file_that_is_named_twice_is_wrong_once(here: Path) -> None:
    (here / "a.yaml").write_text("a: [\n")
    diagnostics = Diagnostics()
    assert read_manifests(["a.yaml", "a.yaml"], diagnostics) == []
    assert [d.code for d in diagnostics.items] == ["VG905"]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    diagnostics = Diagnostics()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO("a: é\n---\nb: [\n".encode())))
    found = read_manifests(["-"], diagnostics)
    assert [(m.obj, m.file, m.line) for m in found] == [({"a": "é"}, "<stdin>", 1)]
    assert [str(d.span).partition(":")[0] for d in diagnostics.items] == ["<stdin>"]


@pytest.mark.parametrize(
    ("path", "code"),
    [("missing.yaml", "VG901"), ("x" * 5000, "VG901"), ("file/below", "VG901"), ("empty", "VG902"), ("nul\0", "VG901")],
)
def test_what_cannot_be_read(here: Path, path: str, code: str) -> None:
    (here / "empty").mkdir()
    (here / "file").write_text("a: 1\n")
    diagnostics = Diagnostics()
    assert [m.obj for m in read_manifests([path, "file"], diagnostics)] == [{"a": 1}]
    (problem,) = diagnostics.items
    assert (problem.code, problem.span.file) == (code, path)
    assert problem.help
