"""Codes about files, arguments and manifests. With an error of these the exit code is 2."""

from __future__ import annotations

from validation_gen.diagnostics import Severity
from validation_gen.uses.explain.explanations.base import COMMAND, Explanation, Sample

_ROBOT = """
type Robot struct {
	// +k8s:required
	Name string `json:"name"`
}
"""

_MANIFEST = {"robot.yaml": "name: talos\n"}
_CHECK = "validation-gen validate v1 --type Robot -f robot.yaml"

_OWN_CODE = {
    **_MANIFEST,
    "checks.py": "def ValidateCustom_Robot(value, old, op):\n    return []\n",
    "validation-gen.toml": 'custom-validations = ["checks.py"]\n',
}

EXPLANATIONS = {
    "VG901": Explanation(
        "A file that is named does not exist, may not be read, or does not hold what is expected of it.",
        Sample(_ROBOT, command=_CHECK),
        Sample(_ROBOT, _MANIFEST, _CHECK),
    ),
    "VG902": Explanation(
        "There are no Go files, no tags or no objects in the place that is named. Silence would look like success. "
        "It is a warning where something else has been read, and where a build constraint hides generated types.",
        Sample(_ROBOT, command="validation-gen v2"),
        Sample(_ROBOT, command=COMMAND),
        (Severity.ERROR, Severity.WARNING),
    ),
    "VG903": Explanation(
        "Only files that were generated are replaced, and what the system forbids cannot be written. It is a warning "
        "where the run can do without the file.",
        Sample(_ROBOT, {"generated/__init__.py": '"""Written by hand."""\n'}, COMMAND),
        Sample(_ROBOT, {"generated/__init__.py": '"""Written by hand."""\n'}, f"{COMMAND} --output-dir validators"),
        (Severity.ERROR, Severity.WARNING),
    ),
    "VG904": Explanation(
        "The value of an argument names nothing that exists, or more than one thing. It is a warning where `--ignore` "
        "names an error without which there is no right output.",
        Sample(_ROBOT, _MANIFEST, "validation-gen validate v1 --type Robto -f robot.yaml"),
        Sample(_ROBOT, _MANIFEST, _CHECK),
        (Severity.ERROR, Severity.WARNING),
    ),
    "VG906": Explanation(
        "A key that is misspelt would be skipped in silence, and a value that is wrong would mean something else. "
        "docs/configuration.md says what may stand in a configuration. It is a warning where a level cannot be had, as "
        "there is no right output without what the error asks for.",
        Sample(_ROBOT, {"validation-gen.toml": 'inputs = ["v1"]\n\n[generate]\nlimt = false\n'}, "validation-gen"),
        Sample(_ROBOT, {"validation-gen.toml": 'inputs = ["v1"]\n\n[generate]\nlint = false\n'}, "validation-gen"),
        (Severity.ERROR, Severity.WARNING),
    ),
    "VG905": Explanation(
        "The file is neither YAML nor JSON, or it is and Kubernetes would still not take it, such as for a key that "
        "stands twice.",
        Sample(_ROBOT, {"robot.yaml": "name: talos\nname: hermes\n"}, _CHECK),
        Sample(_ROBOT, _MANIFEST, _CHECK),
    ),
    "VG911": Explanation(
        "The configuration names Python files, programs or webhooks, and it came with the sources: whoever has written "
        "it need not be whom you trust. What you name on the command line is run. It is a warning where the rest of "
        "the answer holds without that code. `validation-gen trust` shows what would be run, and keeps in mind that "
        "you trust it until it changes; `--trust` is for one run.",
        Sample(_ROBOT.replace("type", "// +k8s:customValidation\ntype"), _OWN_CODE, _CHECK),
        Sample(_ROBOT.replace("type", "// +k8s:customValidation\ntype"), _OWN_CODE, f"{_CHECK} --trust"),
        (Severity.WARNING, Severity.ERROR),
    ),
}
