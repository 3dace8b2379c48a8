"""Updates that are not asked about: the condition, and that validators would have had nothing against them."""

from __future__ import annotations

import copy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.commands.edgecases.samples import apis, program_of, subjects
from tests.thorough import drawn
from validation_gen.commands.edgecases import Drawing, make_random_source
from validation_gen.emit.webhooks.kinds import EXPRESSION, can_skip, resources
from validation_gen.kubernetes.admission.compiling import CONDITION, Expression, compile_expression
from validation_gen.kubernetes.admission.environment import Names
from validation_gen.kubernetes.cel import NEWEST
from validation_gen.kubernetes.cel.plan import Plan, make_plan
from validation_gen.runtime.registry import Registry

#: What the API server lets a condition cost, all of a webhook together.
_BUDGET = 2_500_000
_HEAD = """
import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Inner struct {
	// +k8s:optional
	// +k8s:maximum=5
	Size int32 `json:"size,omitempty"`
}
"""
_META = """
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
"""
_SPEC = '\n\tSpec Inner `json:"spec,omitempty"`\n'


@cache
def _condition() -> Expression:
    return compile_expression(EXPRESSION, Names().environment(variables=False), CONDITION, minor=NEWEST)


@cache
def _plan() -> Plan:
    typed = _condition().typed
    assert typed is not None
    return make_plan(typed, ("object", "oldObject", "request"))


def _is_asked(new: Any, old: Any, **request: Any) -> Any:
    known = {"operation": "UPDATE", "kind": {"version": "v1"}, "requestKind": {"version": "v1"}}
    value, cost = _plan().run([new, old, known | request], _BUDGET)
    assert cost < 100
    return value


def _object(generation: int | None, **metadata: Any) -> dict[str, Any]:
    return {"metadata": metadata | ({} if generation is None else {"generation": generation})}


def test_the_condition_is_one_that_a_server_takes() -> None:
    assert _condition().error == ""


def test_only_updates_of_metadata_are_left_out() -> None:
    assert _is_asked(_object(3, labels={"a": "b"}), _object(3)) is False
    assert _is_asked(_object(4), _object(3)) is True


def test_everything_else_is_asked() -> None:
    same = _object(3)
    assert _is_asked(_object(1), None, operation="CREATE") is True
    assert _is_asked(same, same, subResource="status") is True
    assert _is_asked(same, same, requestKind={"version": "v1beta1"}) is True  # a conversion may look at annotations
    assert _is_asked(_object(None), _object(None)) is True  # a server that does not count generations
    assert _is_asked(same, _object(None)) is True


def test_the_sample_kinds_can_do_with_it() -> None:
    program, _ = apis()
    assert {each.name: each.skips for each in resources(program, program)} == {
        "missions.missions.example.com": True,
        "routes.missions.example.com": True,
        "robotpools.robots.example.com": True,
        "robots.robots.example.com": True,
    }


def test_validators_find_nothing_in_what_is_left_out() -> None:
    """Whatever an object holds beside its metadata, also what is invalid or of no type at all."""
    program, registry = apis()
    known = {root.kind: root.type for package in program.packages.values() for root in package.roots}
    found = 0
    for subject in subjects(program, registry):
        kind = subject.root.kind
        if not can_skip(program, known[kind]) or "/" not in subject.root.subresources:
            continue
        drawing = Drawing(subject, make_random_source(kind))
        for _ in range(drawn(200)):
            old = drawing.request().obj
            if not isinstance(old, dict):
                continue
            old = {**copy.deepcopy(old), "apiVersion": subject.root.api_version, "kind": kind}
            old["metadata"] = {"name": "No_name/of*any.kind", "generation": 7}
            new = copy.deepcopy(old)
            new["metadata"] |= {"labels": {"a": "b"}, "finalizers": ["example.com/last"]}
            assert _is_asked(new, old) is False
            assert registry.validate(new, old, options=dict.fromkeys(program.options, False), raw=True) == []
            found += bool(registry.validate(old, options=dict.fromkeys(program.options, False), raw=True))
    assert found > 100  # most of these could not even be created


def _first(directory: Path, types: str) -> tuple[bool, Registry]:
    program, registry = program_of(directory, _HEAD + types)
    return can_skip(program, "example.com/m/v1.Thing"), registry


def _errors(registry: Registry, new: dict[str, Any], old: dict[str, Any]) -> list[str]:
    head = {"apiVersion": "example.com/v1", "kind": "Thing"}
    return [str(error) for error in registry.validate(head | new, head | old, raw=True)]


_STATE = 'type State struct {\n\tSize int32 `json:"size,omitempty"`\n}\n\n'


@pytest.mark.parametrize(
    ("types", "content"),
    [
        pytest.param(f"type Thing struct {{{_META}{_SPEC}}}", {"spec": {"size": 9}}, id="rules below the spec"),
        pytest.param(
            f'{_STATE}type Thing struct {{{_META}{_SPEC}\n\tStatus State `json:"status,omitempty"`\n}}',
            {"spec": {"size": 9}, "status": {"size": "none"}},
            id="a field without rules, which is of a wrong type",
        ),
        pytest.param(
            f"type Thing struct {{{_META}\n\t// +k8s:required\n\t// +k8s:maximum=5\n"
            '\tSize int32 `json:"size,omitempty"`\n}',
            {"size": 9},
            id="a single value",
        ),
        pytest.param(
            f"type Thing struct {{{_META}\n\t// +k8s:required\n\t// +k8s:maximum=5\n"
            '\tSize int32 `json:"size,omitempty"`\n}',
            {"size": None},
            id="a null",
        ),
        pytest.param(f'type Thing struct {{{_META}\n\tInner `json:",inline"`\n}}', {"size": 9}, id="inlined rules"),
    ],
)
def test_a_kind_of_which_updates_of_metadata_are_left_out(tmp_path: Path, types: str, content: dict[str, Any]) -> None:
    skips, registry = _first(tmp_path, types)
    assert skips
    old = _object(1) | content
    assert _errors(registry, _object(1, labels={"a": "b"}) | copy.deepcopy(content), old) == []
    assert registry.validate({"apiVersion": "example.com/v1", "kind": "Thing"} | old, raw=True) != []  # it is invalid


@pytest.mark.parametrize(
    ("types", "content", "metadata"),
    [
        pytest.param(
            f"type Thing struct {{{_META}{_SPEC}\n"
            '\t// +k8s:unionMember\n\t// +k8s:optional\n\tA *Inner `json:"a,omitempty"`\n\n'
            '\t// +k8s:unionMember\n\t// +k8s:optional\n\tB *Inner `json:"b,omitempty"`\n}',
            {},
            None,
            id="rules of the kind itself",
        ),
        pytest.param(
            'type Thing struct {\n\tmetav1.TypeMeta `json:",inline"`\n\n'
            "\t// +k8s:subfield(generateName)=+k8s:optional\n"
            "\t// +k8s:subfield(generateName)=+k8s:format=k8s-short-name\n"
            f'\tmetav1.ObjectMeta `json:"metadata,omitempty"`\n{_SPEC}}}',
            {},
            {"generateName": "_"},
            id="rules of metadata that may change",
        ),
        pytest.param(
            f'type Base struct {{{_META}{_SPEC}}}\n\ntype Thing struct {{\n\tBase `json:",inline"`\n}}',
            {},
            None,
            id="metadata of an inlined struct with rules",
        ),
    ],
)
def test_a_kind_that_must_be_asked_about(
    tmp_path: Path, types: str, content: dict[str, Any], metadata: dict[str, Any] | None
) -> None:
    skips, registry = _first(tmp_path, types)
    assert not skips
    if metadata is not None:  # there is an object to show it
        new = _object(1, labels={"a": "b"}, **metadata) | copy.deepcopy(content)
        assert _errors(registry, new, _object(1) | content) != []
