"""Reading what is compared: the same objects out of any container, and malformed ones with their place."""

from __future__ import annotations

import gzip
import io
import json
import multiprocessing
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.commands.compare.input_files import Read, pod
from tests.tables import each
from tests.thorough import drawn
from validation_gen.commands.compare.inputs import Inputs, json_pieces, parse_item
from validation_gen.commands.compare.requests import Request
from validation_gen.diagnostics import Diagnostics

LIST = {"apiVersion": "v1", "kind": "List"}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty directory, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(content: str | bytes, name: str = "a") -> Read:
    Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
    return Read(name)


def one_line(obj: Any) -> str:
    return json.dumps(obj, separators=(",", ":"))


def exact(obj: Any) -> str:
    """An object with the types of its numbers, which `==` does not tell apart."""
    return json.dumps(obj, sort_keys=True)


# --- containers -------------------------------------------------------------------------------------------------------

_TEXT = st.text(st.characters(codec="utf-8"), max_size=8)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.floats(-1e9, 1e9).filter(lambda n: n % 1) | _TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXT, inner, max_size=3),
    max_leaves=8,
)
_OBJECTS = st.lists(st.builds(lambda name, spec: pod(name, spec=spec), _TEXT, _VALUES), min_size=1, max_size=5)


def containers(objects: list[Any]) -> dict[str, str]:
    """Texts that hold the same objects, by the name of a file."""
    late = {"apiVersion": "v1", "items": objects, "kind": "List"}
    typed = [{key: value for key, value in obj.items() if key not in ("apiVersion", "kind")} for obj in objects]
    texts = {
        "lines": "".join(one_line(obj) + "\n" for obj in objects),
        "lines.jsonl": "\r\n".join(one_line(obj) for obj in objects),
        "gaps": "\n\n".join(json.dumps(obj) for obj in objects),
        "pretty.json": "\n".join(json.dumps(obj, indent=2) for obj in objects),
        "joined": "".join(json.dumps(obj, indent=1) for obj in objects),
        "list.json": json.dumps({**LIST, "items": objects}, indent=4),
        "late": one_line(late),
        "late.json": json.dumps(late, indent="\t"),
        "typed": one_line({"kind": "PodList", "apiVersion": "v1", "items": typed}),
        "array": json.dumps(objects),
        "array.json": json.dumps(objects, indent=2),
        "two": one_line(objects[0]) + "\n" + json.dumps({**LIST, "items": objects[1:]}, indent=1),
        "flow.yaml": "\n--- # next\n".join(json.dumps(obj) for obj in objects),
        "mixed": one_line(objects[0]) + "".join(f"\n---\n{one_line(obj)}\n" for obj in objects[1:]),
    }
    for unicode in (True, False):
        # Other dumpers would do as well; this one writes all scalars so that they are the same in YAML 1.1 and 1.2.
        documents = [yaml.safe_dump(obj, allow_unicode=unicode, default_style='"') for obj in objects]
        documents = [document.replace('!!float "', '!!float "') for document in documents]
        texts[f"documents{unicode}.yaml"] = "---\n".join(["# first\n", *documents, "# last\n"])
        texts[f"crlf{unicode}.yaml"] = ("---\n" + "---\n".join(documents)).replace("\n", "\r\n")
    texts["list.yaml"] = yaml.safe_dump(late, default_style='"')
    return texts


@settings(max_examples=drawn(60), deadline=None)
@given(_OBJECTS)
def test_objects_are_the_same_in_every_container(tmp_path_factory: pytest.TempPathFactory, objects: list[Any]) -> None:
    directory = tmp_path_factory.mktemp("containers")
    for name, text in containers(objects).items():
        plain, packed = directory / name, directory / f"{name}.gz"
        plain.write_text(text, newline="")
        packed.write_bytes(gzip.compress(text.encode()))
        utf16 = directory / f"utf16-{name}"
        utf16.write_text(text, encoding="utf-16", newline="")
        for file in (plain, packed, utf16):
            read = Read(file)
            assert (read.bad, read.problems) == ([], []), file.name
            assert [exact(obj) for obj in read.objects] == [exact(obj) for obj in objects], file.name
            assert all(r.kind == "Pod" and r.api_version == "v1" and not r.update for r in read.requests)


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_standard_input(monkeypatch: pytest.MonkeyPatch, pack: Any) -> None:
    objects = [pod("a"), pod("b")]
    for text in containers(objects).values():
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(pack(text.encode()))))
        read = Read("-")
        assert (read.objects, read.bad, read.total) == (objects, [], None)
        assert all(place.startswith("<stdin>:") for place in read.places)


@pytest.mark.parametrize("limit", [1, 100, 5000])
def test_what_is_long_is_cut_into_the_same_objects(here: Path, monkeypatch: pytest.MonkeyPatch, limit: int) -> None:
    objects = [pod(f"p{number}", spec={"text": "# no\n- no comment\n---x\n" * number}) for number in range(40)]
    short = {name: written(text, name) for name, text in containers(objects).items()}
    monkeypatch.setattr(json_pieces, "LONG", limit)
    monkeypatch.setattr("validation_gen.commands.compare.inputs.containers.LONG", limit)
    for name, text in containers(objects).items():
        long = written(text, name)
        assert (long.objects, long.bad) == (objects, []), name
        if "late" not in name and name not in ("typed", "array"):  # there the items have columns
            assert [place.split(":")[:2] for place in long.places] == [p.split(":")[:2] for p in short[name].places]
    assert len(Read("list.json").items) == len(Read("late").items) == 40


def test_long_lists_in_yaml_are_cut_into_items(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("validation_gen.commands.compare.inputs.containers.LONG", 100)
    objects = [pod(f"p{number}", spec={"text": "- a\n\n# b\nitems:\n- c\n"}) for number in range(9)]
    for text in (
        yaml.safe_dump({"apiVersion": "v1", "items": objects, "kind": "List", "metadata": {"resourceVersion": ""}}),
        "# from a dump\n---\n" + yaml.safe_dump({**LIST, "items": objects}, sort_keys=False),
        "kind: PodList # of pods\napiVersion: 'v1'\nmetadata:\n  resourceVersion: '1'\nitems:\n"
        + "".join(f"  - metadata:\n      name: p{n}\n      namespace: shop\n    spec: {{text: x}}\n" for n in range(9)),
    ):
        both = written(f"{text}---\n{text}")
        assert both.bad == []
        assert [obj["metadata"]["name"] for obj in both.objects] == [f"p{n}" for n in range(9)] * 2
        assert {(r.kind, r.api_version) for r in both.requests} == {("Pod", "v1")}
        assert len(both.items) == 2 * (9 + 1)  # and what stands around the items
        lines = f"{text}---\n{text}".splitlines()
        assert all(lines[int(place.split(":")[1]) - 1].lstrip().startswith("- ") for place in both.places)


def test_kinds_with_items_are_not_cut(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_pieces, "LONG", 50)
    monkeypatch.setattr("validation_gen.commands.compare.inputs.containers.LONG", 50)
    menu = {"kind": "Menu", "apiVersion": "shop/v1", "items": [{"name": f"dish {n}"} for n in range(20)]}
    late = {"items": menu["items"], "apiVersion": "shop/v1", "kind": "Menu"}
    for obj in (menu, late):
        for text in (one_line(obj), json.dumps(obj, indent=1), yaml.safe_dump(obj, sort_keys=False)):
            assert written(text).objects == [obj]


def test_a_list_in_yaml_that_aliases_join(here: Path) -> None:
    read = written("items:\n- &a {apiVersion: v1, kind: Pod}\n- *a\nkind: List\napiVersion: v1\n")
    assert read.objects == [{"apiVersion": "v1", "kind": "Pod"}] * 2
    assert read.places == ["a:2", "a:2"]


# --- requests of the line protocol ------------------------------------------------------------------------------------


def test_requests(here: Path) -> None:
    request = {
        "id": 7,
        "kind": "Shelf",
        "package": "shop/v1",
        "op": "update",
        "options": {"Scales": True},
        "obj": {"aisle": 1},
        "oldObj": {"aisle": 2},
        "subresources": ["status"],
    }
    nulls = {"kind": "Shelf", "obj": None, "package": None, "op": None, "options": None, "subresources": None}
    read = written(f"{one_line(request)}\n{one_line(nulls)}\n{one_line({**request, 'op': 'create'})}\n")
    assert read.found == [
        Request("Shelf", {"aisle": 1}, {"aisle": 2}, True, "shop/v1", "", {"Scales": True}, "/status", "a:1"),
        Request("Shelf", None, place="a:2"),
        Request("Shelf", {"aisle": 1}, None, False, "shop/v1", "", {"Scales": True}, "/status", "a:3"),
    ]


def test_an_object_may_have_a_field_named_obj(here: Path) -> None:
    obj = {"apiVersion": "shop/v1", "kind": "Crate", "obj": {"kind": "Apple"}}
    (request,) = written(one_line(obj)).requests
    assert (request.kind, request.api_version, request.obj) == ("Crate", "shop/v1", obj)


@each(
    ("line", "reason"),
    [
        ({"obj": {}}, "the kind of the request is missing"),
        ({"kind": 1, "obj": {}}, "kind has the wrong type"),
        ({"kind": "A", "obj": {}, "op": "delete"}, 'op is "create" or "update"'),
        ({"kind": "A", "obj": {}, "options": {"B": 1}}, "options maps names to true or false"),
        ({"kind": "A", "obj": {}, "options": []}, "options has the wrong type"),
        ({"kind": "A", "obj": {}, "subresources": [1]}, "subresources is a list of path segments"),
        ({"kind": "A"}, "neither an object with apiVersion and kind nor a request with kind and obj"),
        ({"apiVersion": "v1"}, "neither an object with apiVersion and kind nor a request with kind and obj"),
        ({"apiVersion": 1, "kind": "A"}, "neither an object with apiVersion and kind nor a request with kind and obj"),
    ],
)
def test_lines_that_are_no_requests(here: Path, line: Any, reason: str) -> None:
    text = one_line(line)
    assert written(f"{text}\n{one_line(pod('b'))}").found == [
        *written(f"{text}\n").found,
        Request("Pod", pod("b"), api_version="v1", place="a:2"),
    ]
    assert written(text).bad == [f"a:1: {reason}: {json.dumps(line)}"]


# --- numbers ----------------------------------------------------------------------------------------------------------


@each(
    ("text", "value"),
    [
        ("1.0", 1),
        ("1e3", 1000),
        ("-0.0", 0),
        ("1.5", 1.5),
        ("18446744073709551615", 2**64 - 1),
        ("18446744073709551616", 2.0**64),
        ("-9223372036854775808", -(2**63)),
        ("-9223372036854775809", -(2**63)),
        ("1e30", 1e30),
        ('"\\ud83d\\ude00"', "\U0001f600"),
        ('"\\ud83d!"', "\ufffd!"),
    ],
)
def test_numbers_and_strings_mean_what_they_mean_in_manifests(here: Path, text: str, value: Any) -> None:
    line = one_line(pod("a")).replace('"metadata"', f'"x":{text},"metadata"')
    (obj,) = written(line).objects
    assert repr(obj["x"]) == repr(value)


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999", "9" * 400])
def test_numbers_that_are_none(here: Path, number: str) -> None:
    line = one_line(pod("a")).replace('"metadata"', f'"x":{number},"metadata"')
    for text in (line + "\n", line.replace(",", ",\n ")):
        (bad,) = written(text).bad
        assert bad.startswith("a:1: not JSON: ")
        assert number[:10] in bad


# --- malformed --------------------------------------------------------------------------------------------------------

POD = one_line(pod("a"))


@each(
    ("text", "bad"),
    [
        (f'{POD}\n{{"kind": }}\n{POD}\n', ['a:2:10: not JSON: Expecting value: {"kind": }']),
        (f"{POD}\n{POD[:30]}\n{POD}\n", [f"a:2:27: not JSON: Unterminated string starting at: {POD[:30]}"]),
        (f'{POD}\n{{"a": 1, "a": 2}}\n{POD}\n', [
            'a:2:10: the key `a` is there twice (keep one of the two): {"a": 1, "a": 2}',
        ]),
        (f"{POD}\nnothing\n{POD}\n", ["a:2:1: not JSON: Expecting value: nothing"]),
        (f'{POD}\n"text"\n[]\n{POD}\n', ['a:2: an object is wanted: "text"']),
        (f"{POD}\n[[1]]\n{POD}\n", ["a:2:2: a list in a list: [1]"]),
        (f"x: 1\n---\n{POD}\n---\n{{\n---\n{POD}\n", [
            'a:1: neither an object with apiVersion and kind nor a request with kind and obj: {"x": 1}',
            "a:6:1: did not find expected node content: --- {",
        ]),
        (f"{POD}\n---\nx: 1\nx: 2\n---\n{POD}\n", ["a:4:1: the key `x` is there twice (keep one of the two): x: 2"]),
        (f"{POD}\n---\nx:\n\ty: 2\n---\n{POD}\n", ["a:4:1: found character that cannot start any token: y: 2"]),
        (f'[{POD},\n 7,\n {POD}]', ["a:2: an object is wanted: 7"]),
        (f'{{\n "a": 1\n "b": 2\n}}\n{{\n "a": 1\n}}\n---\n{POD}\n---\n{POD}', [
            "a:3:5: did not find expected ',' or '}': \"b\": 2",
            'a:5: neither an object with apiVersion and kind nor a request with kind and obj: {"a": 1}',
        ]),
        (f"{'[' * 5000}\n---\n{POD}\n---\n{POD}", ["a:1:1000: nested deeper than 1000 levels: " + "[" * 79 + "…"]),
        (f"{POD}\n{'[' * 5000 + ']' * 5000}\n{POD}", ["a:2: nested too deeply: " + "[" * 79 + "…"]),
    ],
)  # fmt: skip
def test_what_is_malformed_is_told_with_its_place_and_the_rest_is_read(here: Path, text: str, bad: list[str]) -> None:
    read = written(text)
    told = [each.replace("a:1:1001: ", "a:1:1000: ") for each in read.bad]  # the latter before PyYAML 6.0.4
    assert (told, read.objects, read.problems) == (bad, [pod("a"), pod("a")], [])


@pytest.mark.parametrize(
    ("content", "bad"),
    [
        (POD.encode() + b'\n{"a": "\xff"}\n', 'a:2:8: byte 0xff is not UTF-8: {"a": "\ufffd"}'),
        (b"a: 1\nb: \xe4\n", "a:2:4: byte 0xe4 is not UTF-8: b: \ufffd"),
        ("x: \ud800".encode("utf-16", "surrogatepass"), "a:1:4: byte 0xed is not UTF-8: x: \ufffd\ufffd\ufffd"),
        ("x".encode("utf-16") + b"y", "a:1: this is not UTF-16: truncated data; incomplete parts are left out"),
        ("x: \x07", "a:1:4: the character U+0007 is not allowed (write it as an escape in double quotes): x: \x07"),
    ],
)
def test_what_is_no_text(here: Path, content: str | bytes, bad: str) -> None:
    assert written(content).bad == [bad]


def test_lines_whose_first_ones_are_cut_off(here: Path) -> None:
    for beginning in ('ue"}}', POD[:40], POD[:17], "Warning: v1 ComponentStatus is deprecated"):
        for name in ("a", "a.log", "a.json"):
            read = written("\n".join([beginning, POD, POD, POD, ""]), name)
            assert len(read.bad) == 1
            assert read.bad[0].startswith(f"{name}:1")
            assert read.objects == [pod("a")] * 3


def test_a_long_list_that_breaks_off(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_pieces, "LONG", 100)
    monkeypatch.setattr("validation_gen.commands.compare.inputs.json_pieces._LEAST", 100)
    text = json.dumps({**LIST, "items": [pod(f"p{n}") for n in range(20)]}, indent=1)
    read = written(text[: text.index("p9")])
    assert [obj["metadata"]["name"] for obj in read.objects] == [f"p{n}" for n in range(9)]
    (bad,) = read.bad
    assert "nothing behind it is read" in bad
    read = written(text.replace('"p5"', "p5"))
    assert len(read.objects) == 5
    assert len(read.bad) == 1


def test_quotations_are_short(here: Path) -> None:
    (bad,) = written("[" + '"x", ' * 9999 + "}").bad
    assert len(bad) < 200


# --- old objects ------------------------------------------------------------------------------------------------------


def test_objects_as_they_were_make_updates(here: Path) -> None:
    Path("old.yaml").write_text(yaml.safe_dump_all([pod("a", spec=1), pod("b", spec=2), {"apiVersion": "v1"}]))
    other = {**pod("b"), "metadata": {"name": "b", "namespace": "other"}}
    Path("new.jsonl").write_text("\n".join(one_line(o) for o in [pod("c"), pod("b", spec=3), other, pod("a", spec=1)]))
    read = Read("new.jsonl", old=["old.yaml"])
    assert [(r.obj["metadata"]["name"], r.update, r.old) for r in read.requests] == [
        ("c", False, None),
        ("b", True, pod("b", spec=2)),
        ("b", False, None),
        ("a", True, pod("a", spec=1)),
    ]
    assert len(read.bad) == 1
    assert read.bad[0].startswith("old.yaml:")
    assert Read("new.jsonl", old=["none.yaml"]).problems == [
        ("VG901", "none.yaml", "cannot read: No such file or directory")
    ]


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_other_processes_find_the_old_objects(here: Path, method: str) -> None:
    Path("old.jsonl").write_text("".join(f"{one_line(pod(f'p{n}', spec=n))}\n" for n in range(100)))
    Path("new.jsonl").write_text("".join(f"{one_line(pod(f'p{n}', spec=-n))}\n" for n in range(100)))
    diagnostics = Diagnostics()
    with Inputs(["new.jsonl"], diagnostics, old=["old.jsonl"]) as inputs:
        items = list(inputs.read_items())
        parse_item(items[0])  # a connection that a fork must not take over
        with multiprocessing.get_context(method).Pool(2) as pool:
            found = pool.map(parse_item, items)
            pool.close()
            pool.join()
    assert [r.old["spec"] for (r,) in found if isinstance(r, Request)] == list(range(100))
    (late,) = parse_item(items[0])
    assert "the object as it was cannot be looked up" in str(late)
