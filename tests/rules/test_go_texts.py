"""Integers that Go prints as texts, where a detail shows one with `%v`."""

from __future__ import annotations

from pathlib import Path

from tests.tables import each
from validation_gen.compiler.pipeline import Settings, build_program, load_validators

_TYPES = """// +k8s:validation-gen=*
package clock

import "time"

type Clock struct {
	// +k8s:monotonic
	Wait time.Duration `json:"wait,omitempty"`
	// +k8s:monotonic
	Pause *Pause `json:"pause,omitempty"`
	// +k8s:monotonic
	Break Break `json:"break,omitempty"`
	// +k8s:monotonic
	Month time.Month `json:"month,omitempty"`
	// +k8s:monotonic
	Day *time.Weekday `json:"day,omitempty"`
	// +k8s:neq=90000000000
	// +k8s:maximum=90000000001
	Never time.Duration `json:"never,omitempty"`
}

// Pause is another name, with which all methods remain.
type Pause = time.Duration

// Break is a type of its own, which has no methods.
type Break time.Duration
"""


@each(
    ("old", "obj", "message"),
    [
        ({"wait": 9}, {"wait": 8}, "wait: Invalid value: 8: may not be decreased from 9ns"),
        ({"pause": 90 * 10**9}, {"pause": 1}, "pause: Invalid value: 1: may not be decreased from 1m30s"),
        ({"break": 9}, {"break": 8}, "break: Invalid value: 8: may not be decreased from 9"),
        ({"month": 2}, {"month": 1}, "month: Invalid value: 1: may not be decreased from February"),
        ({"month": 13}, {"month": 1}, "month: Invalid value: 1: may not be decreased from %!Month(13)"),
        ({"day": 6}, {"day": 0}, "day: Invalid value: 0: may not be decreased from Saturday"),
        (
            {"day": -1},
            {"day": -2},
            "day: Invalid value: -2: may not be decreased from %!Weekday(18446744073709551615)",
        ),
        ({}, {"never": 90 * 10**9}, "never: Invalid value: 90000000000: must not be equal to 1m30s"),
        ({}, {"never": 10**11}, "never: Invalid value: 100000000000: must be less than or equal to 90000000001"),
    ],
)
def test_what_details_show(old: object, obj: object, message: str, tmp_path: Path) -> None:
    (tmp_path / "clock").mkdir()
    (tmp_path / "clock/types.go").write_text(_TYPES, encoding="utf-8")
    registry = load_validators(build_program(Settings((str(tmp_path / "clock"),), every_type=True)).program)
    (kind,) = registry.of_type("Clock", "")
    assert [str(error) for error in registry.run(kind, obj, old, update=True)] == [message]
