"""What upstream's own lint tests establish about its three rules, on the rules alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compiler.lint.sources import declarations, messages, surveyed, written
from validation_gen.compiler.lint.rules.presence import PRESENCE
from validation_gen.compiler.lint.survey import Declaration, is_validated


def _type(directory: Path, *tags: str, version: str = "v1") -> Declaration:
    lines = "\n".join(f"// {tag}" for tag in tags)
    survey = surveyed(written(directory, f"{lines}\ntype Dummy struct{{}}\n", version))
    return declarations(survey, "Dummy")[0]


_BETWEEN = """tag "k8s:alpha" can't be used in between"""


@pytest.mark.parametrize(
    ("tag", "wanted"),
    [
        ("+k8s:alpha=+k8s:required", ""),
        ("+k8s:beta=+k8s:required", ""),
        ("+k8s:alpha", 'tag "k8s:alpha" requires a validation tag as its value payload'),
        ("+k8s:beta", 'tag "k8s:beta" requires a validation tag as its value payload'),
        ("+k8s:alpha=foo", 'tag "k8s:alpha" requires a validation tag as its value payload'),
        ('+k8s:item(type: "Approved")=+k8s:alpha=+k8s:zeroOrOneOfMember', _BETWEEN),
        ("+k8s:item=+k8s:alpha=+k8s:required", _BETWEEN),
        ("+k8s:listType=+k8s:alpha=+k8s:required", _BETWEEN),
        ("+k8s:item=+k8s:listType=+k8s:alpha=+k8s:required", _BETWEEN),
    ],
)
def test_level_prefix(tag: str, wanted: str, tmp_path: Path) -> None:
    assert messages("VG401", _type(tmp_path, tag)) == ([wanted] if wanted else [])


_TOO_WEAK = 'tag "k8s:validateTrueAlpha" with stability level "Alpha" cannot be used in {} validation'


@pytest.mark.parametrize(
    ("tag", "version", "wanted"),
    [
        ("+k8s:required", "v1", ""),
        ("+k8s:beta=+k8s:required", "v1", ""),
        ("+k8s:alpha=+k8s:required", "v1", ""),
        ("+k8s:alpha=+k8s:validateTrueAlpha", "v1", ""),
        ("+k8s:validateTrueAlpha", "v1", _TOO_WEAK.format("Stable")),
        ("+k8s:beta=+k8s:validateTrueAlpha", "v1", _TOO_WEAK.format("Beta")),
        ("+k8s:validateTrueBeta", "v1alpha1", ""),
        ("+k8s:validateTrueAlpha", "v1alpha1", ""),
        ("+k8s:validateTrueBeta", "v1beta1", ""),
        ("+k8s:validateTrueAlpha", "v1beta1", _TOO_WEAK.format("Beta")),
        ("+k8s:ifEnabled(SomeFeature)=+k8s:validateTrueBeta", "v1", ""),
        ("+k8s:ifEnabled(SomeFeature)=+k8s:validateTrueAlpha", "v1", _TOO_WEAK.format("Beta")),
    ],
)
def test_stability(tag: str, version: str, wanted: str, tmp_path: Path) -> None:
    assert messages("VG402", _type(tmp_path, tag, version=version)) == ([wanted] if wanted else [])


@pytest.mark.parametrize(
    ("tags", "wanted"),
    [
        ([], False),
        (["just a comment"], False),
        (["+k8s:optional"], False),
        (["+k8s:required"], True),
        (["+k8s:forbidden"], True),
        (["+k8s:openapi-gen=true"], False),
        (["+k8s:minimum=0"], True),
        (["+k8s:enum"], True),
        (["+k8s:optional", "+k8s:minimum=0"], True),
    ],
)
def test_what_counts_as_validation(tags: list[str], wanted: bool, tmp_path: Path) -> None:
    assert is_validated(_type(tmp_path, *tags).links) is wanted


@pytest.mark.parametrize(
    ("tag", "wanted"),
    [
        ("+k8s:minimum=0", False),
        ("+k8s:optional", True),
        ("+k8s:required", True),
        ("+k8s:optional=true", True),
        ('+k8s:alpha(since:"1.35")=+k8s:optional', True),
        ('+k8s:alpha(since:"1.35")=+k8s:required', True),
    ],
)
def test_what_counts_as_presence_tag(tag: str, wanted: bool, tmp_path: Path) -> None:
    assert any(_type(tmp_path, tag).named(*PRESENCE)) is wanted


_INNER = 'type Inner struct {\n\t// +k8s:minimum=0\n\tBar int `json:"bar"`\n}\n'
_HOLDER = 'type Holder struct {\n\t// +k8s:opaqueType\n\tInner *Inner `json:"inner"`\n}\n'
_KEY = "// +k8s:minLength=1\ntype Key string\n"
_NODE = 'type T struct {\n\t// +k8s:%s\n\tFoo *T `json:"foo"`\n}\n'
_OPAQUE, _OPAQUE_KEYS, _OPAQUE_ITEMS = "k8s:opaqueType", "k8s:eachKey=+k8s:opaqueType", "k8s:eachVal=+k8s:opaqueType"


def _field(type: str, *tags: str, other: str = "") -> str:
    lines = "".join(f"\t// +{tag}\n" for tag in tags)
    return f'{_INNER}{other}\ntype T struct {{\n{lines}\tFoo {type} `json:"foo"`\n}}\n'


def _opaque(tag: str, declaration: str) -> str:
    return f"// +{tag}\n{declaration}\n"


_PRESENCE: dict[str, tuple[str, bool]] = {
    "a pointer without validation": (_field("*string"), False),
    "validation of its own": (_field("*int", "k8s:minimum=0"), True),
    "validation of the type": (_field("*Inner"), True),
    "optional": (_field("*int", "k8s:optional", "k8s:minimum=0"), False),
    "a list": (_field("[]string", "k8s:maxItems=10"), True),
    "a map": (_field("map[string]string", "k8s:maxItems=5"), True),
    "a struct by value": (_field("Inner"), False),
    "a struct by value with tags of its own": (_field("S", other="// +k8s:immutable\ntype S struct{}"), False),
    "recursion": (_NODE % "optional", False),
    "recursion without a presence tag": (_NODE % "immutable", True),
    "recursion with a validated type": (f"// +k8s:immutable\n{_NODE % 'optional'}", False),
    "an array": (_field("[3]Inner"), True),
    "opaque pointer": (_field("*Inner", _OPAQUE), False),
    "opaque pointer to a definition": (_field("*A", _OPAQUE, other="type A Inner"), False),
    "opaque definition of a list": (_field("A", _OPAQUE, other="type A []Inner"), False),
    "opaque items": (_field("[]Inner", _OPAQUE_ITEMS), False),
    "opaque items of an array": (_field("[3]Inner", _OPAQUE_ITEMS), False),
    "keys": (_field("map[Key]string", other=_KEY), True),
    "opaque keys": (_field("map[Key]string", _OPAQUE_KEYS, other=_KEY), False),
    "opaque values": (_field("map[string]Inner", _OPAQUE_ITEMS), False),
    "opaque keys and values": (_field("map[Key]Inner", _OPAQUE_KEYS, _OPAQUE_ITEMS, other=_KEY), False),
    "opaque keys alone": (_field("map[Key]Inner", _OPAQUE_KEYS, other=_KEY), True),
    "opaque values alone": (_field("map[Key]Inner", _OPAQUE_ITEMS, other=_KEY), True),
    "an opaque field further down": (_field("*Holder", other=_HOLDER), False),
    "a definition of a list": (_field("A", other="type A []Inner"), True),
    "a definition of a list, opaque items": (_field("A", _OPAQUE_ITEMS, other="type A []Inner"), False),
    "opaque items by definition": (_field("A", other=_opaque(_OPAQUE_ITEMS, "type A []Inner")), False),
    "the same behind a pointer": (_field("*A", other=_opaque(_OPAQUE_ITEMS, "type A []Inner")), False),
    "opaque values by definition": (_field("A", other=_opaque(_OPAQUE_ITEMS, "type A map[string]Inner")), False),
    "opaque by definition": (_field("*A", other=_opaque(_OPAQUE, "type A Inner")), False),
    "opaque items by definition, and a limit": (
        _field("A", other=_opaque(_OPAQUE_ITEMS, _opaque("k8s:maxItems=100", "type A []Inner"))),
        True,
    ),
}


@pytest.mark.parametrize(("text", "wanted"), _PRESENCE.values(), ids=_PRESENCE)
def test_presence(text: str, wanted: bool, tmp_path: Path) -> None:
    *_, field = declarations(surveyed(written(tmp_path, text)), "T")
    message = "field with validation must have +k8s:optional, +k8s:required or +k8s:forbidden"
    assert messages("VG403", field) == ([message] if wanted else [])


def test_the_same_type_may_be_opaque_in_one_field_only(tmp_path: Path) -> None:
    text = (
        _INNER
        + """
type A []Inner
type T struct {
	// +k8s:opaqueType
	Foo A `json:"foo"`
	Bar A `json:"bar"`
}
"""
    )
    _, foo, bar = declarations(surveyed(written(tmp_path, text)), "T")
    assert messages("VG403", foo) == []
    assert messages("VG403", bar) != []
