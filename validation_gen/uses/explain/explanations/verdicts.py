"""Codes of verdicts of commands. Machine-readable formats have them; the output for people has other words."""

from __future__ import annotations

from validation_gen.diagnostics import Severity
from validation_gen.uses.explain.explanations.base import Explanation, Sample

_KIND = """
import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Robot struct {
	metav1.TypeMeta `json:",inline"`
	// +k8s:required
	Name string `json:"name"`
}
"""

_VALIDATE = "validation-gen validate v1 -f robot.yaml --format github"
_COVERAGE = "validation-gen coverage v1 --tests seen.jsonl --allow allowed.yaml --format github"
_SEEN = '{"kind": "Robot", "errors": [{"type": "FieldValueRequired", "field": "name"}]}\n'
_UNSEEN = '{"kind": "Robot", "errors": []}\n'
_ALLOWED = '- {kind: Robot, path: name, type: FieldValueRequired, origin: "*", reason: robots are made with names}\n'

_DEFINITION = """apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: robots.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Robot, plural: robots, singular: robot, listKind: RobotList}
  versions:
    - {name: v1, served: true, storage: true, schema: &any {openAPIV3Schema: {type: object}}}
    - {name: v1beta1, served: true, storage: false, deprecated: true, schema: *any}
"""
_DEFINED = "validation-gen validate robots.crd.yaml -f robot.yaml --format github"
_OLD = "apiVersion: example.com/v1beta1\nkind: Robot\nmetadata: {name: talos}\n"

EXPLANATIONS = {
    "VG804": Explanation(
        "`validate` has found an object that the tags refuse. `--format full` says it in the words of `kubectl`.",
        Sample(_KIND, {"robot.yaml": "apiVersion: v1\nkind: Robot\n"}, _VALIDATE),
        Sample(_KIND, {"robot.yaml": "apiVersion: v1\nkind: Robot\nname: talos\n"}, _VALIDATE),
    ),
    "VG805": Explanation(
        "A rule that no test breaks may be missing tomorrow, and nobody would notice.",
        Sample(_KIND, {"seen.jsonl": _UNSEEN, "allowed.yaml": "[]\n"}, _COVERAGE),
        Sample(_KIND, {"seen.jsonl": _SEEN, "allowed.yaml": "[]\n"}, _COVERAGE),
    ),
    "VG806": Explanation(
        "An entry that allows what tests trigger, or what no tag declares, would hide the next gap.",
        Sample(_KIND, {"seen.jsonl": _SEEN, "allowed.yaml": _ALLOWED}, _COVERAGE),
        Sample(_KIND, {"seen.jsonl": _UNSEEN, "allowed.yaml": _ALLOWED}, _COVERAGE),
    ),
    "VG807": Explanation(
        "`validate` has found an object whose kind no source here has. Nothing is known of it, so it counts neither as "
        "valid nor as invalid. `--ignore-missing-schemas` and `--skip` say that this is meant.",
        Sample(_KIND, {"robot.yaml": "apiVersion: v1\nkind: Arm\n"}, _VALIDATE),
        Sample(_KIND, {"robot.yaml": "apiVersion: v1\nkind: Arm\n"}, f"{_VALIDATE} --skip Arm"),
    ),
    "VG808": Explanation(
        "The API server would take the object, and warn: its version is deprecated, a finalizer may meet those of "
        "others, or what is wrong was so before. It sends the same words to `kubectl`. `--quiet` leaves them out.",
        Sample("", {"robots.crd.yaml": _DEFINITION, "robot.yaml": _OLD}, _DEFINED),
        Sample("", {"robots.crd.yaml": _DEFINITION, "robot.yaml": _OLD.replace("v1beta1", "v1")}, _DEFINED),
        (Severity.WARNING,),
    ),
}
