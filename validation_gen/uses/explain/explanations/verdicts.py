"""Codes of what commands judge. They are told to programs; for people the commands have other words."""

from __future__ import annotations

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
}
