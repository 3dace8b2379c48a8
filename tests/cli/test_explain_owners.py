"""`explain PATH FIELD -f FILE`: the owners of a field in an object."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.kubernetes.crd.schemas import definition
from tests.kubernetes.objects.answers import robot, root
from tests.program import invoke
from tests.tables import each

TEXT = {"type": "string"}
LIST = {"type": "array", "items": TEXT}
NUMBER = {"type": "integer"}
ARM = {
    "type": "object",
    "required": ["name", "port"],
    "properties": {"name": TEXT, "port": NUMBER, "reach": NUMBER},
}
SPEC = {
    "type": "object",
    "properties": {
        "model": TEXT,
        "most": NUMBER | {"default": 3},
        "arms": {
            "type": "array",
            "items": ARM,
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name", "port"],
        },
        "tags": LIST | {"x-kubernetes-list-type": "set"},
        "path": {"type": "array", "items": {"type": "object", "properties": {"x": NUMBER}}},
        "notes": {"type": "object", "additionalProperties": TEXT},
    },
}
LEFT, RIGHT = 'k:{"name":"left","port":1}', 'k:{"name":"right","port":2}'
ENTRIES = [
    {
        "manager": "kubectl",
        "operation": "Apply",
        "apiVersion": "example.com/v1",
        "fieldsType": "FieldsV1",
        "time": "2026-01-02T03:04:05Z",
        "fieldsV1": {
            "f:spec": {
                "f:model": {},
                "f:arms": {LEFT: {".": {}, "f:name": {}, "f:port": {}, "f:reach": {}}},
                "f:tags": {'v:"a"': {}},
                "f:path": {},
                "f:notes": {"f:k": {}},
            }
        },
    },
    {
        "manager": "hand",
        "operation": "Update",
        "apiVersion": "example.com/v1",
        "fieldsType": "FieldsV1",
        "subresource": "status",
        "fieldsV1": {
            "f:spec": {
                "f:model": {},
                "f:arms": {RIGHT: {".": {}, "f:name": {}, "f:port": {}}},
                "f:tags": {".": {}, 'v:"b"': {}},
                "f:notes": {},
            }
        },
    },
]
OBJECT = robot(
    {
        "model": "x",
        "most": 3,
        "arms": [{"name": "left", "port": 1, "reach": 4}, {"name": "right", "port": 2, "reach": 5}],
        "tags": ["a", "b"],
        "path": [{"x": 1}, {"x": 2}],
        "notes": {"k": "v", "l": "w"},
    },
    metadata={"name": "talos", "managedFields": ENTRIES},
)


def explain(*args: str) -> tuple[int, str]:
    result = invoke(["explain", *args])
    return result.exit_code, result.output


def save(*, obj: Any = OBJECT) -> None:
    Path("crd.yaml").write_text(yaml.safe_dump(definition(root(SPEC))), encoding="utf-8")
    Path("live.yaml").write_text(yaml.safe_dump(obj), encoding="utf-8")


@each(
    "field, owners",
    [
        ("model", ["hand spec.model", "kubectl spec.model"]),
        ("most", []),
        ("arms[name=left,port=1].reach", ['kubectl spec.arms[name="left",port=1].reach']),
        ("arms[name=right].reach", []),
        (
            "arms[name=right]",
            [f'hand spec.arms[name="right",port=2]{end}' for end in ("", ".name", ".port")],
        ),
        ("arms[1].name", ['hand spec.arms[name="right",port=2].name']),
        (
            "arms[*].name",
            ['kubectl spec.arms[name="left",port=1].name', 'hand spec.arms[name="right",port=2].name'],
        ),
        ("tags", ["hand spec.tags", 'kubectl spec.tags[="a"]', 'hand spec.tags[="b"]']),
        ("tags[a]", ['kubectl spec.tags[="a"]']),
        ('tags[="b"]', ['hand spec.tags[="b"]']),
        ("tags[0]", ['kubectl spec.tags[="a"]']),
        ("path", ["kubectl spec.path"]),
        ("path[*].x", ["kubectl spec.path"]),
        ("notes[k]", ["kubectl spec.notes.k"]),
        ("notes[l]", []),
        ("notes", ["hand spec.notes", "kubectl spec.notes.k"]),
    ],
)
def test_the_owners_of_a_field(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, field: str, owners: list[str]) -> None:
    monkeypatch.chdir(tmp_path)
    save()
    code, out = explain("crd.yaml", f"Robot.spec.{field}", "-f", "live.yaml", "--format", "json")
    found = json.loads(out)["owners"]
    assert (code, found["kind"], found["name"]) == (0, "Robot", "talos")
    assert [f"{each['manager']} {each['field']}" for each in found["owners"]] == owners


def test_the_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save()
    code, out = explain("crd.yaml", "Robot.spec.model", "-f", "live.yaml")
    assert code == 0
    assert out.startswith("Robot.spec.model: string, optional\n")
    assert out.endswith(
        '\nOwners in live.yaml, Robot "talos"\n'
        "  field       manager  operation         time\n"
        "  spec.model  hand     Update of status\n"
        "  spec.model  kubectl  Apply             2026-01-02T03:04:05Z\n"
    )
    unowned = "No manager owns it, as is so for defaults and for metadata that the server sets."
    assert " ".join(explain("crd.yaml", "Robot.spec.most", "-f", "live.yaml")[1].split()).endswith(unowned)
    absent = "  The object does not have it.\n"
    assert explain("crd.yaml", "Robot.spec.notes[gone]", "-f", "live.yaml")[1].endswith(absent)


TYPES = """\
// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Robot struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec RobotSpec `json:"spec"`
}

type RobotSpec struct {
	// +k8s:optional
	// +k8s:listType=set
	Tags []string `json:"tags,omitempty"`
}
"""


def test_types_in_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save()
    Path("v1").mkdir()
    Path("v1/types.go").write_text(TYPES, encoding="utf-8")
    code, out = explain("v1", "Robot.Spec.Tags[*]", "-f", "live.yaml")
    assert code == 0
    assert out.splitlines()[-2:] == [
        '  spec.tags[="a"]  kubectl  Apply             2026-01-02T03:04:05Z',
        '  spec.tags[="b"]  hand     Update of status',
    ]


def _with(entries: Any) -> dict[str, Any]:
    return robot({"model": "x"}, metadata={"name": "talos", "managedFields": entries})


@each(
    "obj, args, told",
    [
        (OBJECT, ["--name", "other"], ['live.yaml has no Robot "other"', "--> --name", 'there is Robot "talos"']),
        (OBJECT | {"kind": "Kite"}, [], ["live.yaml has no Robot", 'there is Kite "talos"']),
        (["a"], [], ["live.yaml has no Robot", "no object there has a kind"]),
        (robot({}), [], ['Robot "talos" in live.yaml has no managedFields', "--show-managed-fields"]),
        (_with([{"fieldsV1": {"spec": {}}}]), [], ["managedFields of", "cannot be read: missing colon: spec"]),
        (_with([{"fieldsV1": []}, "x", {"fieldsV1": ["a"]}]), [], ["cannot be read: expected an object"]),
        (OBJECT, ["--old", "live.yaml"], ["it is about the trace of an object: leave FIELD out"]),
        (OBJECT, ["--path", "spec"], ["it is about the trace of an object: leave FIELD out"]),
    ],
)
def test_mistakes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, obj: Any, args: list[str], told: list[str]) -> None:
    monkeypatch.chdir(tmp_path)
    save(obj=obj)
    code, out = explain("crd.yaml", "Robot.spec.model", "-f", "live.yaml", *args)
    assert code == 2, out
    assert all(text in " ".join(out.split()) for text in told), out
