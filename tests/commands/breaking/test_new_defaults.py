"""New defaults: which of them may have a server refuse what it took before."""

from __future__ import annotations

import itertools
from copy import deepcopy
from typing import Any

from tests.commands.breaking.conftest import Project, api, said
from tests.commands.breaking.test_schemas import STRING, _changes
from tests.kubernetes.crd.schemas import definition
from tests.kubernetes.objects.answers import robot, root
from tests.tables import each
from validation_gen.kubernetes.objects import Scheme

Schema = dict[str, Any]
REFUSED, TAKEN = "error", "warning"


def _spec(**keywords: Any) -> Schema:
    return {"type": "object", "properties": {"a": STRING, "b": STRING}, **keywords}


def _rule(text: str) -> Schema:
    return {"x-kubernetes-validations": [{"rule": text}]}


@each(
    ("around", "severity"),
    [
        ({}, TAKEN),
        (_rule("!(has(self.a) && has(self.b))"), REFUSED),
        (_rule("!has(self.a) || has(self.b)"), REFUSED),
        (_rule("!has(self.a) || self.a != 'bad'"), TAKEN),
        (_rule("!has(self.a) || self.a == 'bad'"), REFUSED),
        (_rule("has(self.a) || has(self.b)"), TAKEN),
        (_rule("has(self.a) != has(self.b)"), REFUSED),
        (_rule("!has(self.b) || self.b != 'x'"), TAKEN),
        (_rule("self.?a.orValue('q') == 'q'"), TAKEN),
        (_rule("self.?a.orValue('z') == 'z'"), REFUSED),
        ({"maxProperties": 1}, REFUSED),
        ({"maxProperties": 2}, TAKEN),
        ({"minProperties": 1}, TAKEN),
        ({"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}, REFUSED),
        ({"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, TAKEN),
        ({"anyOf": [{"required": ["b"]}, {"properties": {"a": {"enum": ["z"]}}}]}, REFUSED),
        ({"allOf": [{"properties": {"a": {"enum": ["q"]}}}]}, TAKEN),
        ({"allOf": [{"properties": {"a": {"enum": ["z"]}}}]}, REFUSED),
        ({"allOf": [{"maxProperties": 1}]}, REFUSED),
        ({"not": {"required": ["a", "b"]}}, REFUSED),
        ({"not": {"required": ["b"]}}, TAKEN),
    ],
)
def test_what_is_around_a_default(around: Schema, severity: str) -> None:
    old = _spec(**around)
    new = deepcopy(old)
    new["properties"]["a"] = {**STRING, "default": "q"}
    (change,) = _changes(old, new)
    assert change.startswith(f'{severity} VG712 spec.a: there is a default, "q"')
    broken = [
        spec
        for spec in ({"a": a, "b": b} for a, b in itertools.product((None, "q", "bad", "z"), (None, "x", "y")))
        if (sent := {name: text for name, text in spec.items() if text}) is not None
        and _takes(old, sent)
        and not _takes(new, sent)
    ]
    assert bool(broken) is (severity == REFUSED)


def _takes(schema: Schema, spec: dict[str, str]) -> bool:
    scheme = Scheme()
    scheme.define(definition(root(schema)))
    return scheme.admit(robot(spec)).ok


def test_a_field_that_had_to_be_set_has_a_value() -> None:
    old = _spec(required=["a"], maxProperties=1)
    new = deepcopy(old)
    new["properties"]["a"] = {**STRING, "default": "q"}
    assert _changes(old, new) == ['warning VG712 spec.a: there is a default, "q"']


def test_a_new_field() -> None:
    old: Schema = {"type": "object", "properties": {"b": STRING}, "maxProperties": 1}
    new = deepcopy(old)
    new["properties"]["a"] = {**STRING, "default": "q"}
    told = "maxProperties 1 may refuse objects that leave the value out"
    assert _changes(old, new) == [f"error VG712 spec.a: the field is new, and has a default: {told}"]


@each(
    ("rule", "severity"),
    [
        ("self.list.all(i, !has(i.a) || !has(i.b))", REFUSED),
        ("self.list.all(i, !has(i.a) || i.a == 'q')", TAKEN),
        ("self.list.exists(i, !has(i.a))", REFUSED),
        ("self.list.all(i, has(i.b))", TAKEN),
        ("self.list.all(i, i != {'b': 'x'})", REFUSED),
        ("size(self.list) < 5", TAKEN),
        ("!has(self.inner) || !has(self.inner.a) || self.inner.a == 'q'", TAKEN),
        ("!has(self.inner) || !has(self.inner.a) || self.inner.a == 'z'", REFUSED),
        ("!has(self.inner) || self.inner.b == 'z'", TAKEN),
    ],
)
def test_rules_further_up(rule: str, severity: str) -> None:
    part = _spec()
    whole = {
        "type": "object",
        "properties": {"list": {"type": "array", "items": part}, "inner": deepcopy(part)},
        **_rule(rule),
    }
    new = deepcopy(whole)
    name = "inner" if "inner" in rule else "list"
    field = new["properties"][name]
    (field if name == "inner" else field["items"])["properties"]["a"] = {**STRING, "default": "q"}
    assert [change.split(" ")[0] for change in _changes(whole, new)] == [severity]


@each(
    ("marks", "tag", "severity"),
    [
        ("", "", "warning"),
        ("// +kubebuilder:validation:MaxProperties=1\n", "", "error"),
        ('// +kubebuilder:validation:XValidation:rule="!has(self.a) || !has(self.b)"\n', "", "error"),
        ('// +kubebuilder:validation:XValidation:rule="!has(self.a) || self.a < 9"\n', "", "warning"),
        ("", "// +k8s:unionMember", "error"),
    ],
)
@each("is_new", [True, False])
def test_defaults_of_types(project: Project, marks: str, tag: str, severity: str, is_new: bool) -> None:
    field = f'{tag}\n// +optional\n// +k8s:optional\n{{}}\nA *int32 `json:"a,omitempty"`\n'
    rest = f'{tag}\n// +optional\n// +k8s:optional\nB *int32 `json:"b,omitempty"`\n'
    lines = [rest if is_new else field.format("") + rest, field.format("// +default=5") + rest]
    old, new = (api(text).replace("type Spec", f"{marks}type Spec") for text in lines)
    found = [change for change in said(project.compare(old, new)) if "VG712" in change]
    if is_new and severity == "warning":
        assert found == []
    else:
        assert [change.split(" ")[0] for change in found] == [severity]
