"""From a type to the conflict: what topologies in sources mean for two managers that apply an object.

The same types are written with `+k8s:` tags in Go, with markers in Go, and in Python. Their definitions are made by
`crd`, and the objects are applied as `apply --server-side` does.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.cli.conftest import Program
from validation_gen.commands.apply import Applied, Request, State, apply_all
from validation_gen.diagnostics import Diagnostics
from validation_gen.kubernetes.manifests import Manifest, read_manifests

GO = """\
// +groupName=example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

type Robot struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +{k}optional
	Spec *Spec `json:"spec,omitempty"`
}

// +{k}listType=set
type Words []string

type Common struct {
	// +{k}optional
	// +{k}listType=set
	Shared []string `json:"shared,omitempty"`
}

type Pair struct {
	// +{k}optional
	A string `json:"a,omitempty"`
	// +{k}optional
	B string `json:"b,omitempty"`
}

type Arm struct {
	// +{k}required
	Name string `json:"name"`
	// +{k}required
	Port int32 `json:"port"`
	// +{k}optional
	Size int32 `json:"size,omitempty"`
	// +{k}optional
	// +{k}listType=set
	Tags []string `json:"tags,omitempty"`
}

type Spec struct {
	Common `json:",inline"`

	// +{k}optional
	Plain []string `json:"plain,omitempty"`
	// +{k}optional
	// +{k}listType=atomic
	Atomic []string `json:"atomic,omitempty"`
	// +{k}optional
	// +{k}listType=set
	Set []string `json:"set,omitempty"`
	// +{k}optional
	Words Words `json:"words,omitempty"`
	// +{k}optional
	// +{k}listType=map
	// +{k}listMapKey=name
	Arms []Arm `json:"arms,omitempty"`
	// +{k}optional
	// +{k}listType=map
	// +{k}listMapKey=name
	// +{k}listMapKey=port
	Ports []Arm `json:"ports,omitempty"`
	// +{k}optional
	Labels map[string]string `json:"labels,omitempty"`
	// +{k}optional
	// +mapType=granular
	Notes map[string]string `json:"notes,omitempty"`
	// +{k}optional
	// +mapType=atomic
	Selector map[string]string `json:"selector,omitempty"`
	// +{k}optional
	Pair *Pair `json:"pair,omitempty"`
	// +{k}optional
	// +structType=atomic
	Whole *Pair `json:"whole,omitempty"`
	// +{k}optional
	// +kubebuilder:validation:EmbeddedResource
	// +kubebuilder:pruning:PreserveUnknownFields
	Template *runtime.RawExtension `json:"template,omitempty"`
}
"""

PYTHON = '''\
"""+groupName=example.com"""

from dataclasses import dataclass, field
from typing import Annotated, Any, TypeAlias

from validation_gen.tags import ListMapKey, ListType, Optional, Required
from validation_gen.types.meta import ObjectMeta, RawExtension, TypeMeta

# +k8s:listType=set
Words: TypeAlias = list[str]


@dataclass(kw_only=True)
class Common:
    shared: Annotated[list[str], Optional(), ListType("set")] = field(default_factory=list)


@dataclass(kw_only=True)
class Pair:
    a: Annotated[str, Optional()] = ""
    b: Annotated[str, Optional()] = ""


@dataclass(kw_only=True)
class Arm:
    name: Annotated[str, Required()]
    port: Annotated[int, Required()]
    size: Annotated[int, Optional()] = 0
    tags: Annotated[list[str], Optional(), ListType("set")] = field(default_factory=list)


@dataclass(kw_only=True)
class Spec(Common):
    plain: Annotated[list[str], Optional()] = field(default_factory=list)
    atomic: Annotated[list[str], Optional(), ListType("atomic")] = field(default_factory=list)
    set: Annotated[list[str], Optional(), ListType("set")] = field(default_factory=list)
    words: Annotated[Words, Optional()] = field(default_factory=list)
    arms: Annotated[list[Arm], Optional(), ListType("map"), ListMapKey("name")] = field(default_factory=list)
    ports: Annotated[list[Arm], Optional(), ListType("map"), ListMapKey("name"), ListMapKey("port")] = field(
        default_factory=list
    )
    labels: Annotated[dict[str, str], Optional()] = field(default_factory=dict)
    # +mapType=granular
    notes: Annotated[dict[str, str], Optional()] = field(default_factory=dict)
    # +mapType=atomic
    selector: Annotated[dict[str, str], Optional()] = field(default_factory=dict)
    pair: Annotated[Pair | None, Optional()] = None
    # +structType=atomic
    whole: Annotated[Pair | None, Optional()] = None
    # +kubebuilder:validation:EmbeddedResource
    # +kubebuilder:pruning:PreserveUnknownFields
    template: Annotated[RawExtension | None, Optional()] = None


@dataclass(kw_only=True)
class Robot(TypeMeta):
    metadata: ObjectMeta
    spec: Annotated[Spec | None, Optional()] = None
'''

SOURCES = {
    "tags": ("v1/types.go", GO.replace("{k}", "k8s:")),
    "markers": ("v1/types.go", GO.replace("{k}", "")),
    "python": ("apis/v1.py", PYTHON),
}


def arm(name: str, port: int = 1, **more: Any) -> dict[str, Any]:
    return {"name": name, "port": port, **more}


def embedded(**spec: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": spec}


X1 = 'k:{"name":"x","port":1}'
KEYS: dict[str, Any] = {".": {}, "f:name": {}, "f:port": {}}
IN_POD: dict[str, Any] = {"f:apiVersion": {}, "f:kind": {}, "f:metadata": {"f:name": {}}}
#: A field; the values that two managers apply; the conflicts; the fields of both once the second one has its way.
TABLE: list[tuple[str, Any, Any, list[str], Any, Any]] = [
    ("plain", ["a"], ["b"], [".spec.plain"], None, {}),
    ("atomic", ["a"], ["b"], [".spec.atomic"], None, {}),
    ("atomic", ["a"], ["a"], [], {}, {}),
    ("set", ["a"], ["b"], [], {'v:"a"': {}}, {'v:"b"': {}}),
    ("set", ["a"], ["a", "b"], [], {'v:"a"': {}}, {'v:"a"': {}, 'v:"b"': {}}),
    ("words", ["a"], ["b"], [], {'v:"a"': {}}, {'v:"b"': {}}),
    ("shared", ["a"], ["b"], [], {'v:"a"': {}}, {'v:"b"': {}}),
    ("arms", [arm("x")], [arm("y")], [], {'k:{"name":"x"}': KEYS}, {'k:{"name":"y"}': KEYS}),
    (
        "arms",
        [arm("x", size=1)],
        [arm("x", size=2)],
        ['.spec.arms[name="x"].size'],
        {'k:{"name":"x"}': KEYS},
        {'k:{"name":"x"}': {**KEYS, "f:size": {}}},
    ),
    (
        "arms",
        [arm("x", tags=["a"])],
        [arm("x", tags=["b"])],
        [],
        {'k:{"name":"x"}': {**KEYS, "f:tags": {'v:"a"': {}}}},
        {'k:{"name":"x"}': {**KEYS, "f:tags": {'v:"b"': {}}}},
    ),
    ("ports", [arm("x", 1)], [arm("x", 2)], [], {X1: KEYS}, {'k:{"name":"x","port":2}': KEYS}),
    (
        "ports",
        [arm("x", 1, size=1)],
        [arm("x", 1, size=2)],
        ['.spec.ports[name="x",port=1].size'],
        {X1: KEYS},
        {X1: {**KEYS, "f:size": {}}},
    ),
    ("labels", {"a": "1"}, {"b": "1"}, [], {"f:a": {}}, {"f:b": {}}),
    ("labels", {"a": "1", "b": "1"}, {"a": "2"}, [".spec.labels.a"], {"f:b": {}}, {"f:a": {}}),
    ("notes", {"a": "1"}, {"b": "1"}, [], {"f:a": {}}, {"f:b": {}}),
    ("selector", {"a": "1"}, {"b": "1"}, [".spec.selector"], None, {}),
    ("pair", {"a": "1"}, {"b": "1"}, [], {"f:a": {}}, {"f:b": {}}),
    ("whole", {"a": "1"}, {"b": "1"}, [".spec.whole"], None, {}),
    (
        "template",
        embedded(a=1),
        embedded(a=2, l=[1]),
        [".spec.template.spec.a"],
        {**IN_POD, "f:spec": {}},
        {**IN_POD, "f:spec": {".": {}, "f:a": {}, "f:l": {}}},
    ),
]


def apply(crd: Manifest, live: Any, spec: dict[str, Any], manager: str, *, force: bool = False) -> Applied:
    obj = {"apiVersion": "example.com/v1", "kind": "Robot", "metadata": {"name": "r"}, "spec": spec}
    olds = [crd] if live is None else [crd, replace(crd, obj=live)]
    request = Request(server_side=True, manager=manager, force=force, now="2026-01-02T03:04:05Z")
    (applied,) = apply_all([replace(crd, obj=obj)], olds, request, Diagnostics())
    return applied


def owned(obj: dict[str, Any], field: str) -> dict[str, Any]:
    """The fields of each manager below a field of the spec."""
    entries = obj["metadata"]["managedFields"]
    return {entry["manager"]: entry["fieldsV1"]["f:spec"].get(f"f:{field}") for entry in entries}


@pytest.mark.parametrize("source", SOURCES)
def test_from_the_type_to_the_conflict(program: Program, source: str) -> None:
    name, text = SOURCES[source]
    program.write({name: text})
    done = program("crd", name.partition("/")[0], "-o", "crds")
    assert done.code == 0, done.err
    (crd,) = read_manifests([str(program.directory / "crds")], Diagnostics())
    wrong = []
    for field, first, second, conflicts, before, after in TABLE:
        live = apply(crd, None, {field: first}, "one").object
        applied = apply(crd, live, {field: second}, "two")
        told = "\n".join(applied.problems).partition("\nPlease review")[0]
        count = f"{len(conflicts)} conflict"
        wanted = f'Apply failed with {count}: conflict with "one": {conflicts[0]}' if conflicts else ""
        if conflicts:
            applied = apply(crd, live, {field: second}, "two", force=True)
        stored = applied.object or {}
        found = owned(stored, field) if applied.state is State.SERVER_SIDE_APPLIED else {}
        owners = {"one": before, "two": after} if before is not None else {"two": after}
        if (told, found) != (wanted, owners):
            wrong.append(f"{field}: {told!r}, {json.dumps(found)}, not {wanted!r}, {json.dumps(owners)}")
    assert not wrong, "\n".join(wrong)
