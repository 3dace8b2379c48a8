"""Objects in reports: YAML that reads back as the object, the marked value, and what is left out."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.commands.compare.sample_results import HOSTILE, is_harmless
from tests.tables import each
from validation_gen.commands.compare.report.text import changes, is_cut, yaml_lines
from validation_gen.kubernetes.positions import find_path
from validation_gen.kubernetes.yaml import read_documents

_SCALARS = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(max_size=30)
_ORDINARY = _SCALARS.filter(lambda v: not isinstance(v, str) or not any("\ud800" <= c <= "\udfff" for c in v))


def _objects(scalars: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    keys = scalars.filter(lambda value: isinstance(value, str))
    return st.recursive(
        scalars, lambda inside: st.lists(inside, max_size=4) | st.dictionaries(keys, inside, max_size=4), max_leaves=12
    )


def shown(value: Any, way: Any = None, most: int = 60) -> list[str]:
    return [("> " if line.marked else "  ") + line.text for line in yaml_lines(value, way, most)]


@given(_objects(_ORDINARY))
def test_what_is_shown_whole_reads_back_as_the_object(value: Any) -> None:
    lines = yaml_lines(value, None, 1000)
    assert not is_cut(lines)
    (document,) = read_documents("\n".join(line.text for line in lines))
    assert document.value == value


@given(_objects(_SCALARS | st.floats()), st.text(max_size=30), st.integers(0, 20))
def test_no_object_and_no_path_raises(value: Any, path: str, most: int) -> None:
    way, _ = find_path(value, path)
    lines = yaml_lines(value, way, most)
    assert sum(line.marked for line in lines) <= 1
    assert all(is_harmless(line.text) for line in lines)


@each("text", HOSTILE)
def test_hostile_texts_stay_on_their_lines(text: str) -> None:
    lines = shown({text: [text], "last": {"text": text}})
    assert all(is_harmless(line) for line in lines)
    assert max(map(len, lines)) < 300


PORTS = {"spec": {"ports": [{"name": "a", "port": 1}, {"name": "b"}], "labels": {"x.y/z": "1", "x": {"y/z": "2"}}}}


@each(
    ("path", "way", "found"),
    [
        ("spec.ports[1].name", ("spec", "ports", 1, "name"), True),
        ("spec.ports[1].port", ("spec", "ports", 1), False),
        ("spec.ports[2].name", ("spec", "ports"), False),
        ("spec.ports[x]", ("spec", "ports"), False),
        ("spec.labels[x.y/z]", ("spec", "labels", "x.y/z"), True),
        ("spec.labels.x.y/z", ("spec", "labels", "x.y/z"), True),
        ("spec.labels[x][y/z]", ("spec", "labels", "x", "y/z"), True),
        (".Inlined.spec.ports[0]", ("spec", "ports", 0), True),
        ("<nil>", (), True),
        ("", (), True),
        ("nowhere", (), False),
        ("specious", (), False),
    ],
)
def test_paths_lead_to_values(path: str, way: tuple[str | int, ...], found: bool) -> None:
    assert find_path(PORTS, path) == (way, found)


def test_the_value_is_marked() -> None:
    assert shown(PORTS, ("spec", "ports", 1, "name")) == [
        "  spec:",
        "    ports:",
        "    - name: a",
        "      port: 1",
        ">   - name: b",
        "    labels:",
        '      x.y/z: "1"',
        "      x:",
        '        y/z: "2"',
    ]


def test_an_object_on_the_way_is_marked_at_its_name() -> None:
    assert [line for line in shown(PORTS, ("spec", "labels")) if line[0] == ">"] == [">   labels:"]
    assert [line for line in shown(PORTS, ("spec", "ports", 1)) if line[0] == ">"] == [">   - name: b"]


def test_the_marked_value_stays_when_the_object_is_cut() -> None:
    value = {"items": [{"num": i} for i in range(1000)], "after": list(range(1000))}
    assert shown(value, ("items", 900, "num"), 5) == [
        "  items:",
        "  - num: 0",
        "  - num: 1",
        "  # … 898 more items",
        "> - num: 900",
        "  # … 99 more items",
        "  # … 1 more field",
    ]


def test_long_strings_and_deep_objects_are_cut() -> None:
    deep: Any = "end"
    for _ in range(5000):
        deep = {"in": deep}
    lines = yaml_lines({"long": "x" * 5000, "deep": deep})
    assert is_cut(lines)
    assert lines[0].text == f'long: "{"x" * 200}" # … 5,000 characters'
    assert lines[-1].text.endswith("# … deeper than 30 levels")


def test_changes_of_an_update() -> None:
    old = {"a": 1, "list": [1, 2], **{f"same{i}": i for i in range(20)}, "end": "x"}
    found = [f"{change.sign} {change.text}".rstrip() for change in changes(old, {**old, "a": 2, "end": "z"})]
    assert found == [
        "- a: 1",
        "+ a: 2",
        "  list:",
        "  - 1",
        "  - 2",
        "…",
        "  same17: 17",
        "  same18: 18",
        "  same19: 19",
        "- end: x",
        "+ end: z",
    ]
    assert changes(old, old) == []
