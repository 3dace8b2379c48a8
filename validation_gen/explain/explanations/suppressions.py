"""Codes about comments that ignore findings. What they ignore are findings of lint rules, which explain themselves."""

from __future__ import annotations

from validation_gen.diagnostics import Severity
from validation_gen.explain.explanations.base import Explanation, Sample

EXPLANATIONS = {
    "VG498": Explanation(
        "Without a reason nobody can tell later whether the finding still may be ignored. This holds for comments and "
        "for suppressions of the configuration.",
        Sample("""
type Robot struct {
	// validation-gen:ignore VG411
	// +k8s:required
	Enabled bool `json:"enabled"`
}
"""),
        Sample("""
type Robot struct {
	// validation-gen:ignore VG411 the switch only goes one way
	// +k8s:required
	Enabled bool `json:"enabled"`
}
"""),
        (Severity.WARNING,),
    ),
    "VG499": Explanation(
        "A comment that ignores nothing, because the finding is gone or its code is wrong, will hide the next one. "
        "So will a suppression of the configuration.",
        Sample("""
type Robot struct {
	// validation-gen:ignore VG411 the switch only goes one way
	// +k8s:required
	Enabled *bool `json:"enabled"`
}
"""),
        Sample("""
type Robot struct {
	// +k8s:required
	Enabled *bool `json:"enabled"`
}
"""),
        (Severity.WARNING,),
    ),
}
