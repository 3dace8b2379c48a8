"""Codes about rules that admission policies cannot express."""

from __future__ import annotations

from validation_gen.diagnostics import Severity
from validation_gen.uses.explain.explanations.base import Explanation, Sample
from validation_gen.uses.explain.explanations.schemas import GROUP, IMPORT, sample

_ROBOT = """
type {kind} struct {{
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +k8s:optional
	// +k8s:maxLength=16
	Name string `json:"name,omitempty"`
}}
"""
_COMMAND = "validation-gen generate v1 --emit policies"


def _policies(fields: str) -> Sample:
    return sample(fields, _COMMAND)


def _checked(expression: str) -> Sample:
    text = f"""\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: robots.example.com
spec:
  matchConstraints:
    resourceRules:
    - apiGroups: [example.com]
      apiVersions: [v1]
      operations: [CREATE, UPDATE]
      resources: [robots]
  validations:
  - expression: {expression}
"""
    return Sample(files={"policy.yaml": text}, command="validation-gen crd check policy.yaml")


EXPLANATIONS = {
    "VG570": Explanation(
        "A policy has CEL, and CEL cannot say everything. Bytes are one text in JSON, a function in Go or Python is no "
        "expression, and a type that is inside itself has no end. Without the rule, a policy accepts what validators "
        "refuse; so it is written only if the configuration says with `allow-weaker` that a webhook sees to the rest.",
        _policies("""
// +k8s:optional
// +k8s:maxItems=16
Key []byte `json:"key,omitempty"`
"""),
        _policies("""
// +k8s:optional
// +k8s:maxBytes=16
Key string `json:"key,omitempty"`
"""),
        (Severity.ERROR, Severity.WARNING),
    ),
    "VG571": Explanation(
        "While a policy runs, an API server counts what each expression costs, and ends it where that is too much. "
        "Without a limit on a list or text, an object may be so large that this happens. Such a rule is left to "
        "validators. With limits there is room for it; `costly` in the configuration keeps it, and then a policy "
        "refuses an object that is too large, whatever it holds.",
        _policies("""
// +k8s:optional
// +k8s:listType=atomic
// +k8s:unique=set
Names []string `json:"names,omitempty"`
"""),
        _policies("""
// +k8s:optional
// +k8s:listType=atomic
// +k8s:unique=set
// +k8s:maxItems=64
// +k8s:eachVal=+k8s:maxLength=63
Names []string `json:"names,omitempty"`
"""),
        (Severity.ERROR, Severity.WARNING),
    ),
    "VG572": Explanation(
        "A policy is called after the plural, the version and the group of its kind, and it is judged as by the API "
        "server. What that has against a policy is a name of these that cannot be one.",
        Sample(f"{IMPORT}{_ROBOT.format(kind='Robot_1')}", GROUP, _COMMAND),
        Sample(f"{IMPORT}{_ROBOT.format(kind='Robot')}", GROUP, _COMMAND),
    ),
    "VG573": Explanation(
        "A policy is judged as when it is created: its fields, and its expressions with their types. What the API "
        "server has against one is told in its words. What it only warns of is left out: that needs schemas of kinds.",
        _checked("object.spec.name.size()"),
        _checked("object.spec.name.size() < 16"),
    ),
}
