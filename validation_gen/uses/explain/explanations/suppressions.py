"""Codes about comments that ignore findings.

The ignored findings are those of lint rules, with their own explanations.
"""

from __future__ import annotations

from validation_gen.diagnostics import Severity
from validation_gen.uses.explain.explanations.base import Explanation, Sample

EXPLANATIONS = {
    "VG498": Explanation(
        "Without a reason nobody can tell later whether the finding still may be ignored. What follows the code is the "
        "reason, and what follows `+k8s:validation-gen-nolint` as well. Suppressions in the configuration need one.",
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
        "A comment that ignores nothing will hide the next finding, or somebody believes in it in vain: its finding is "
        "gone, its code is none of lint, or it stands where lint does not look. Errors cannot be ignored. "
        "The same is said of suppressions of the configuration.",
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
