"""Kinds of types as a server would take their objects: by the schema of their definition and by their tags, at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from validation_gen.commands.typeschemes import scheme_of_types
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostics
from validation_gen.kubernetes.objects import Outcome, Scheme

DOC = "// +k8s:validation-gen=TypesWithField=TypeMeta\n// +groupName=example.com\npackage v1\n"
TYPES = """package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:subresource:status
// +k8s:supportsSubresource="/status"
type Robot struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec Spec `json:"spec"`
	// +optional
	Status Status `json:"status,omitempty"`
}

type Status struct {
	// +k8s:optional
	// +k8s:maximum=9
	Seen int32 `json:"seen,omitempty"`
}

type Spec struct {
	// +k8s:required
	// +k8s:maxLength=5
	// +k8s:immutable
	Name string `json:"name"`
	// +kubebuilder:default=3
	// +k8s:maximum=4
	// +optional
	Size int32 `json:"size,omitempty"`
	// +k8s:ifEnabled(Bright)=+k8s:forbidden
	// +k8s:ifDisabled(Bright)=+k8s:optional
	// +kubebuilder:validation:Pattern=`^a`
	// +optional
	Color string `json:"color,omitempty"`
}
"""


def _scheme(source: str = TYPES, **more: Any) -> tuple[Scheme, list[str]]:
    Path("v1").mkdir(exist_ok=True)
    Path("v1/doc.go").write_text(DOC, encoding="utf-8")
    Path("v1/types.go").write_text(source, encoding="utf-8")
    found = Diagnostics()
    return scheme_of_types(Settings(("v1",)), found, **more), [each.message for each in found.items]


@pytest.fixture
def scheme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scheme:
    monkeypatch.chdir(tmp_path)
    found, told = _scheme()
    assert told == []
    return found


def _robot(spec: Any, **more: Any) -> dict[str, Any]:
    return {"apiVersion": "example.com/v1", "kind": "Robot", "metadata": {"name": "talos"}, "spec": spec, **more}


def _texts(outcome: Outcome) -> list[str]:
    return [*map(str, outcome.errors), *outcome.problems]


def test_defaults_are_filled_in_before_tags_are_asked(scheme: Scheme) -> None:
    outcome = scheme.admit(_robot({"name": "abc"}))
    assert outcome.object is not None
    assert (outcome.code, outcome.object["spec"]) == (201, {"name": "abc", "size": 3})


def test_tags_and_schema_are_judged_in_one_pass(scheme: Scheme) -> None:
    assert _texts(scheme.admit(_robot({"name": "abcdef", "size": 9, "color": "b"}))) == [
        "spec.name: Too long: may not be more than 5 characters",
        "spec.size: Invalid value: 9: must be less than or equal to 4",
        "spec.color: Invalid value: \"b\": spec.color in body should match '^a'",
    ]


def test_what_both_say_of_a_value_is_told_once(scheme: Scheme) -> None:
    assert _texts(scheme.admit(_robot({}))) == ["spec.name: Required value"]
    assert len(_texts(scheme.admit(_robot({"name": 7})))) == 1


def test_unknown_fields_and_metadata_are_those_of_a_server(scheme: Scheme) -> None:
    assert _texts(scheme.admit(_robot({"name": "abc", "nmae": 1}))) == ['unknown field "spec.nmae"']
    assert _texts(scheme.admit(_robot({"name": "abc"}) | {"metadata": {"name": "A"}}))[0].startswith("metadata.name: ")


def test_updates_and_the_status(scheme: Scheme) -> None:
    old = _robot({"name": "abc"})
    assert _texts(scheme.admit(_robot({"name": "abd"}), old)) == ["spec.name: Invalid value: null: field is immutable"]
    status = scheme.admit(_robot({"name": "other"}, status={"seen": 10}), old, subresource="status")
    assert _texts(status) == ["status.seen: Invalid value: 10: must be less than or equal to 9"]
    assert scheme.admit(_robot({"name": "other"}, status={"seen": 9}), old, subresource="status").ok


def test_tags_refuse_objects_that_take_the_fast_path(scheme: Scheme) -> None:
    fast = scheme.kinds["example.com", "Robot"].versions["v1"].fast
    fast.make_table()
    new = _robot({"name": "abcdef"})
    assert fast.normalize(new) is not None
    assert scheme.admit(new).code == 422


def test_options(scheme: Scheme) -> None:
    new = _robot({"name": "abc", "color": "azure"})
    assert scheme.admit(new).ok
    assert _texts(_scheme(options={"Bright": True})[0].admit(new)) == ["spec.color: Forbidden"]


def test_a_kind_with_errors_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    scheme, told = _scheme(TYPES.replace("+k8s:maxLength=5", "+k8s:maxLength=five"))
    assert scheme.kinds == {}
    assert told


def test_a_kind_that_is_left_out_for_its_markers_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = TYPES.replace(
        "// +k8s:supports", "// +kubebuilder:subresource:scale:specpath=.spec.size,statuspath=.x\n// +k8s:supports"
    )
    scheme, problems = _scheme(source)
    assert not scheme.kinds
    assert any('the path ".x" is not below .status' in problem for problem in problems)
