"""Codes about types and constants."""

from __future__ import annotations

from validation_gen.diagnostics import Severity
from validation_gen.uses.explain.explanations.base import COMMAND, Explanation, Sample

_ARM = """
import "example.com/parts"

type Robot struct {
	// +k8s:required
	Name string `json:"name"`

	Arm parts.Arm `json:"arm"`
}
"""

_PARTS = 'package parts\n\ntype Arm struct {\n\tLength int32 `json:"length"`\n}\n'
_WITH_DIRECTIVE = {"v1/doc.go": "// +k8s:validation-gen=*\npackage v1\n", "parts/types.go": _PARTS}
_STRICT = f"{COMMAND} --require-directive --module example.com/parts=parts"

_PYTHON = """\
from dataclasses import dataclass, field


@dataclass
class Robot:
    # +k8s:optional
    # +k8s:maxItems=4
    arms: {type} = field(default_factory={factory})
"""

EXPLANATIONS = {
    "VG106": Explanation(
        "The annotations of a Python class say what its fields are in JSON, and not all that Python has is there. A "
        "constraint of another library that no tag says, or a default that only a run of the program could tell, is a "
        "warning: it has no effect. A constraint and a tag that give different limits are an error.",
        Sample(files={"robots.py": _PYTHON.format(type="set[str]", factory="set")}, command="validation-gen robots.py"),
        Sample(
            files={"robots.py": _PYTHON.format(type="list[str]", factory="list")}, command="validation-gen robots.py"
        ),
        (Severity.ERROR, Severity.WARNING),
    ),
    "VG301": Explanation(
        "Without its declaration nobody knows the fields and rules of a type, so any value is accepted for it. Where "
        "one is embedded, its fields stand in the struct around it, which then keeps unknown fields. What is generated "
        "then says less than the sources, so commands that write files make it an error, unless `--allow-unresolved` "
        "is given; `lint` and `validate` warn. Tags, markers and rules in CEL that need to know the type do not count, "
        "which notes of the finding tell. Where no kind, rule or schema reaches the type, the finding is information. "
        "A name that the file does not even import is always an error.",
        Sample(_ARM),
        Sample(_ARM, {"parts/types.go": _PARTS}, f"{COMMAND} --module example.com/parts=parts"),
        (Severity.ERROR, Severity.WARNING),
    ),
    "VG302": Explanation(
        "Kubernetes validates no lists of lists, maps of maps, pointers to pointers and the like. Tags on such a type "
        "are errors; without tags, and without `--require-directive`, any value is accepted for it. A struct that "
        "contains itself by value is no Go at all.",
        Sample("""
type Robot struct {
	// +k8s:optional
	// +k8s:maxItems=4
	Routes [][]string `json:"routes,omitempty"`
}
"""),
        Sample("""
type Route struct {
	Stops []string `json:"stops"`
}

type Robot struct {
	// +k8s:optional
	// +k8s:maxItems=4
	Routes []Route `json:"routes,omitempty"`
}
"""),
        (Severity.ERROR, Severity.WARNING),
    ),
    "VG303": Explanation(
        "Only with `--require-directive`, as in Kubernetes: the rules of a type belong to its package, and the "
        "package of this one has no directive, so it is not known whether there are rules.",
        Sample(_ARM, _WITH_DIRECTIVE, _STRICT),
        Sample(_ARM, _WITH_DIRECTIVE, f"{_STRICT} --readonly-pkg example.com/parts"),
    ),
    "VG305": Explanation(
        "A value that is nested without end cannot be looked at. More than 50 lists, maps and pointers in one "
        "expression, or more than 100 definitions that are no structs in one another, are no API; such a type and all "
        "that use it have no validators. Structs may follow one another in chains of any length.",
        Sample(
            """
type Robot struct {
	// +k8s:optional
	Name string `json:"name,omitempty"`

	M %sbool `json:"m"`
}
"""
            % ("[]" * 51)
        ),
        Sample("""
type Robot struct {
	// +k8s:optional
	Name string `json:"name,omitempty"`

	M []Room `json:"m"`
}

type Room struct {
	Doors []string `json:"doors"`
}
"""),
    ),
    "VG304": Explanation(
        "The constants of a type are the values of its enum. One whose value is not known is missing there, so the "
        "value would be refused.",
        Sample("""
import "example.com/paint"

// +k8s:enum
type Color string

const (
	Red  Color = "red"
	Blue Color = paint.Blue
)
"""),
        Sample("""
// +k8s:enum
type Color string

const (
	Red  Color = "red"
	Blue Color = "blue"
)
"""),
        (Severity.WARNING,),
    ),
}
