"""Codes about losses in `validation-gen convert`."""

from __future__ import annotations

from validation_gen.diagnostics import Severity
from validation_gen.uses.explain.explanations.base import Explanation, Sample

_CONVERT = "validation-gen convert v1 --to python --output-dir robots"

EXPLANATIONS = {
    "VG107": Explanation(
        "Go and Python cannot say all of the same things. What is missing in the other language is left open, with a "
        "comment, for somebody to write by hand; the rest is converted. Of a CustomResourceDefinition, each keyword is "
        "named that neither a type nor a marker says.",
        Sample(
            """
type Robot struct {
	// +k8s:required
	Position [3]int32 `json:"position"`
}
""",
            command=_CONVERT,
        ),
        Sample(
            """
type Robot struct {
	// +k8s:required
	// +k8s:maxItems=3
	Position []int32 `json:"position"`
}
""",
            command=_CONVERT,
        ),
        (Severity.WARNING,),
    ),
}
