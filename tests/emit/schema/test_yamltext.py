"""YAML text: every reader gets the same object back, and people get the layout that they know."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import each
from validation_gen.emit.schema.yamltext import MARKER, as_yaml
from validation_gen.kubernetes.yaml import read_documents, whole

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
#: Letters that mean something to YAML, so that random texts meet in the interesting places.
NASTY = st.text(
    st.sampled_from(
        list("\n\n\t  -:#'\"\\|>&*!%@?{}[],~=<.0123456789eE_+xobynYN\x85\u2028\ufeff\u00e9\U0001f600\0\x7f")
    )
)
NUMBERS = st.from_regex(r"[-+]?[0-9.][0-9a-fA-FxXoObB_.:eE+-]{0,8}", fullmatch=True)
STRINGS = TEXTS | NASTY | NUMBERS
ATOMS = STRINGS | st.booleans() | st.none()


def objects(scalars: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    def grown(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        return st.lists(inner, max_size=4) | st.dictionaries(STRINGS, inner, max_size=4)

    return st.dictionaries(STRINGS, st.recursive(scalars, grown, max_leaves=20), max_size=5)


OBJECTS = objects(ATOMS | st.integers() | st.floats(allow_nan=False, allow_infinity=False))
OBJECTS_OF_KUBERNETES = objects(ATOMS | st.integers(-(2**63), 2**64 - 1) | st.floats(-1e300, 1e300))


def same(left: Any, right: Any) -> bool:
    """Equal, also in type: Python takes `True`, `1` and `1.0` for the same."""
    if isinstance(left, dict) and isinstance(right, dict):
        return list(left) == list(right) and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return type(left) is type(right) and left == right


def as_read_by_kubernetes(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: as_read_by_kubernetes(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_read_by_kubernetes(item) for item in value]
    return whole(value) if isinstance(value, float) else value


@given(OBJECTS)
def test_both_writers_write_the_same(value: dict[str, Any]) -> None:
    """Narrow lines are left to PyYAML; at a width that no line has, it writes what the fast writer does."""
    assert as_yaml(value) == as_yaml(value, width=2**31 - 1)


@each(
    "text",
    [
        *(
            "a b",
            "a: b",
            "a #b",
            "a# b",
            "a:b c",
            "ab:",
            "a b:",
            "it's so",
            'say "so" to',
            "a  b c",
            "x{y} [z], a",
            "- a b",
        ),
        *(
            "true",
            "Yes",
            "no way",
            "null",
            "1e3",
            "0x1f",
            "12:30",
            "2020-01-01",
            "~",
            "=",
            "<<",
            "n",
            "N/A",
            "y",
            ".nan",
        ),
        *("a\nb", "a\n", "a\nb\n", "a\n\nb", "a \nb", " a\nb", "a\n  b\n", "a\n\n", "\na", "#a\n- b", "a\tb\nc"),
        *("", " ", "a ", " a", "é è", "a\u2028b", "a\u00a0b", "---", "--- a b", "%a b", "@a b", "!a b", "&a b", "*a b"),
        *("Values are: a, b", "abc " * 60, "k" * 130, "a\u200bb c", "long \x7f text", "\ufeffa text"),
    ],
)
def test_both_writers_quote_alike(text: str) -> None:
    for value in ({"key": text}, {text: "value"}, {"a": [text, [text], {"b": text}]}, {"a": {"b": [[{"c": text}]]}}):
        assert as_yaml(value) == as_yaml(value, width=2**31 - 1)


# --- readers ---------------------------------------------------------------------------------------------------------


@given(OBJECTS)
def test_a_reader_of_yaml_1_1_reads_the_same(value: dict[str, Any]) -> None:
    assert same(yaml.safe_load(as_yaml(value)), value)
    assert same(yaml.safe_load(as_yaml(value, marker=None)), value)
    assert same(yaml.safe_load(as_yaml(value, width=20)), value)


@given(OBJECTS_OF_KUBERNETES)
def test_kubernetes_reads_the_same(value: dict[str, Any]) -> None:
    (document,) = read_documents(as_yaml(value))
    assert same(document.value, as_read_by_kubernetes(value))


@given(OBJECTS)
def test_a_reader_of_yaml_1_2_reads_the_same(value: dict[str, Any]) -> None:
    ruamel = pytest.importorskip("ruamel.yaml", reason="ruamel.yaml is not installed")
    assert same(ruamel.YAML(typ="safe", pure=True).load(as_yaml(value)), value)


@given(OBJECTS)
def test_the_text_is_the_same_each_time_and_has_no_anchors(value: dict[str, Any]) -> None:
    text = as_yaml(value)
    assert as_yaml(value) == text
    assert as_yaml(yaml.safe_load(text)) == text
    assert not any(
        isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None)
        for event in yaml.parse(as_yaml({"": value}))
    )


# --- the look --------------------------------------------------------------------------------------------------------


def test_the_layout_is_that_of_generated_manifests() -> None:
    shared = {"type": "string"}
    value = {
        "kind": "CustomResourceDefinition",
        "b": {"one": "|\n", "two": "Größe 日本 \U0001f600", "long": "word " * 40 + "end"},
        "a": [{"name": "v1", "required": ["b", "a"]}, [], {}, [["x"], {"u": shared, "z": shared}]],
        "text": "First.\n\n  Second: # no comment\n",
        "rule": "self == 'a' ||\nself == 'b'",
        "quoted": "a: b",
        "flags": [True, False, None, 0, -5, 0.5, 1e100],
    }
    assert as_yaml(value) == (
        "---\n"
        "# Code generated by validation-gen. DO NOT EDIT.\n"
        "kind: CustomResourceDefinition\n"
        "b:\n"
        "  one: |\n"
        "    |\n"
        "  two: Größe 日本 \U0001f600\n"
        f"  long: {'word ' * 40}end\n"
        "a:\n"
        "- name: v1\n"
        "  required:\n"
        "  - b\n"
        "  - a\n"
        "- []\n"
        "- {}\n"
        "- - - x\n"
        "  - u:\n"
        "      type: string\n"
        "    z:\n"
        "      type: string\n"
        "text: |\n"
        "  First.\n"
        "\n"
        "    Second: # no comment\n"
        "rule: |-\n"
        "  self == 'a' ||\n"
        "  self == 'b'\n"
        "quoted: 'a: b'\n"
        "flags:\n"
        "- true\n"
        "- false\n"
        "- null\n"
        "- 0\n"
        "- -5\n"
        "- 0.5\n"
        "- 1.0e+100\n"
    )


@each(
    "text",
    [
        *"yes Yes YES no No on On off OFF y Y n N true True false null Null ~ = << 1 -1 +1 1e3 1E3 1.5 .5 -.5".split(),
        *"5. 0x1f 0X1F 0o17 0b101 012 09 1_000 1_000.5 12:30:00 1:30 01:30 12:30:00.5 -12:30 .inf -.inf +.INF".split(),
        *".nan .NaN 2024-05-06 2024-5-6 2024-05-06T07:08:09Z 1e400 18446744073709551616".split(),
        "2024-05-06 07:08:09",
        "",
    ],
)
def test_words_that_mean_something_else_are_quoted(text: str) -> None:
    assert as_yaml({"a": text}, marker=None) == f'a: "{text}"\n'
    if text:
        assert as_yaml({text: 1}, marker=None) == f'"{text}": 1\n'


@each(
    "text",
    [
        *"maybe 1.2.3 10.0.0.1 v1 1Gi 500m 2024-05 yesterday nullable a:b 1-2 == x-y/z ä http://x ^[a-z]*$".split(),
        "self.x == 'a'",
        "a b",
    ],
)
def test_other_words_stay_plain(text: str) -> None:
    assert as_yaml({"a": text}, marker=None) == f"a: {text}\n"


@each("text", ["*", "&", "!", "- a", "# a", "a #b", "{a}", "[a", "@a", "`a`", "%a", "a:", " a", "a "])
def test_what_syntax_forbids_stands_in_single_quotes(text: str) -> None:
    assert as_yaml({"a": text}, marker=None) == f"a: '{text}'\n"


@pytest.mark.parametrize(
    ("text", "written"),
    [("  a\nb", "|2-\n    a\n  b\n"), ("\na", "|2-\n\n  a\n"), (" a\n", "|2\n   a\n")],
)
def test_blocks_say_how_far_they_are_indented_where_it_cannot_be_seen(text: str, written: str) -> None:
    assert as_yaml({"a": text}, marker=None) == f"a: {written}"


@each(
    ("text", "written"),
    [
        ("a \nb", r'"a \nb"'),
        ("a\nb ", r'"a\nb "'),
        ("a\tb\nc", r'"a\tb\nc"'),
        ("\ta", r'"\ta"'),
        (" a\nb ", r'" a\nb "'),
        ("a\n\n", r'"a\n\n"'),
        ("\n", r'"\n"'),
        ("a\rb", r'"a\rb"'),
        ("a\0\nb", r'"a\0\nb"'),
        ("a\x85b", r'"a\Nb"'),
        ("a\u2028b", r'"a\Lb"'),
        ("\ufeffa", r'"\uFEFFa"'),
    ],
)
def test_what_no_block_can_hold_is_escaped(text: str, written: str) -> None:
    assert as_yaml({"a": text}, marker=None) == f"a: {written}\n"


# --- what others write -----------------------------------------------------------------------------------------------


def test_controller_gen_writes_the_same() -> None:
    """Byte for byte below the header, where lines are folded as it folds them."""
    tools = os.environ.get("VALIDATION_GEN_CONTROLLER_TOOLS", "")
    if not tools:
        pytest.skip("VALIDATION_GEN_CONTROLLER_TOOLS does not name a checkout of kubernetes-sigs/controller-tools")
    files = sorted(Path(tools, "pkg/crd/testdata").glob("*.yaml"))
    assert files
    for file in files:
        text = file.read_text(encoding="utf-8").removeprefix("---\n").rstrip() + "\n"
        value = yaml.safe_load(text)
        assert as_yaml(value, marker=None, width=80) == text, file
        unfolded = as_yaml(value, marker=None)
        assert re.sub(r"\s+", " ", unfolded) == re.sub(r"\s+", " ", text), file
        assert as_yaml(value) == f"---\n{MARKER}\n{unfolded}"
