"""Codes of `validation-gen compare`, and of its settings for handwritten validation."""

from __future__ import annotations

from validation_gen.diagnostics import Severity
from validation_gen.uses.explain.explanations.base import COMMAND, Explanation, Sample

_ROBOT = """
import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Robot struct {
	metav1.TypeMeta `json:",inline"`
	// +k8s:optional
	// +k8s:maximum=8
	Arms *int32 `json:"arms,omitempty"`
}
"""

_OPTION = """
import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Robot struct {
	metav1.TypeMeta `json:",inline"`
	// +k8s:optional
	// +k8s:ifEnabled(ManyArms)=+k8s:maximum=8
	Arms *int32 `json:"arms,omitempty"`
}
"""

_CHECKS = """from validation_gen.mismatch import FieldError


def validate(obj):
    arms = obj.get("arms")
    if arms is not None and arms > 8:
        return [FieldError.invalid("arms", arms, "too many").with_origin("maximum")]
    return []
"""

_FILES = {"checks.py": _CHECKS, "robots.jsonl": '{"apiVersion": "v1", "kind": "Robot", "arms": 2}\n'}
_COMPARE = "validation-gen compare v1 --handwritten python:checks.py:validate --objects robots.jsonl"
_EXPECTING = f"{_COMPARE} --expected expected.yaml"


def _expected(entry: str) -> dict[str, str]:
    return {**_FILES, "expected.yaml": f"expected:\n- {entry}\n"}


_STRICTER = {
    **_expected("{kind: Robot, path: arms, reason: the tag comes with the next release}"),
    "checks.py": _CHECKS.replace("8", "6"),
    "robots.jsonl": '{"apiVersion": "v1", "kind": "Robot", "arms": 7}\n',
}
_HISTORY = f"{_COMPARE} --history runs.jsonl"
_RUN = (
    '{"format": 1, "time": "2024-12-31T12:00:00+00:00", "interrupted": false, "seconds": 0.1, '
    '"causes": {}, "kinds": [], '
    '"totals": {"compared": 0, "agreeing": 0, "differing": 0, "mismatches": 0, "expected": 0, "bad": 0, "panics": 0, '
    '"rules": 0, "exercised": 0}}'
)
_HARNESS = f"{COMMAND} --emit harness"
_PROJECT = '[tool.validation-gen.handwritten]\n"v1.{}" = "{}"\n'

EXPLANATIONS = {
    "VG601": Explanation(
        "An entry that cannot be understood would hide nothing, or hide too much. Each needs a reason, and something "
        "that it is about.",
        Sample(_ROBOT, _expected("{kind: Robot, path: arms}"), _EXPECTING),
        Sample(_ROBOT, _STRICTER, _EXPECTING),
    ),
    "VG602": Explanation(
        "Differences are accepted for a time, so that they are not forgotten. From the day after, they count again.",
        Sample(_ROBOT, _expected("{kind: Robot, path: arms, reason: old robots, expires: 2024-12-31}"), _EXPECTING),
        Sample(_ROBOT, _STRICTER, _EXPECTING),
    ),
    "VG603": Explanation(
        "The difference has been mended, or was not met with these objects. An entry that stays hides the next one.",
        Sample(_ROBOT, _expected("{kind: Robot, path: arms, reason: old robots}"), _EXPECTING),
        Sample(_ROBOT, _STRICTER, _EXPECTING),
        (Severity.WARNING,),
    ),
    "VG604": Explanation(
        "Some rules hold only while a validation option is on, or off. Stored objects do not say how it was when "
        "they were accepted.",
        Sample(_OPTION, _FILES, _COMPARE),
        Sample(_OPTION, _FILES, f"{_COMPARE} --option ManyArms=true"),
        (Severity.WARNING,),
    ),
    "VG605": Explanation(
        "A handwritten function is wired to a type by its name, so the name must be that of one type with rules.",
        Sample(_ROBOT, {"pyproject.toml": _PROJECT.format("Robto", "checks:validate")}, _HARNESS),
        Sample(_ROBOT, {"pyproject.toml": _PROJECT.format("Robot", "checks:validate")}, _HARNESS),
    ),
    "VG606": Explanation(
        "The history is a line of JSON for each run. What somebody else has written, or a run that was killed "
        "half-way, is no part of the trend.",
        Sample(_ROBOT, {**_FILES, "runs.jsonl": f"{_RUN}\nall was good until here\n"}, _HISTORY),
        Sample(_ROBOT, {**_FILES, "runs.jsonl": f"{_RUN}\n"}, _HISTORY),
        (Severity.WARNING,),
    ),
    "VG607": Explanation(
        "For the same object one side reports an error, and the other does not, or another one. "
        "`--format full` shows the object and both answers.",
        Sample(_ROBOT, {**_FILES, "checks.py": _CHECKS.replace("8", "1")}, f"{_COMPARE} --format github"),
        Sample(_ROBOT, _FILES, f"{_COMPARE} --format github"),
    ),
}
