"""Codes about the manifests of webhooks: errors of an API server, and missing parts."""

from __future__ import annotations

import textwrap

from validation_gen.diagnostics import Severity
from validation_gen.uses.explain.explanations.base import Explanation, Sample

_HEAD = """\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: robots
webhooks:
  - name: {name}
    admissionReviewVersions: [v1]
    sideEffects: None
    clientConfig:
      service:
        name: robots
        namespace: robots
        path: /validate
    rules:
      - apiGroups: [robots.example.com]
        apiVersions: [v1]
        operations: [CREATE, UPDATE]
        resources: [robots]
"""


def _checked(name: str = "validate.robots.example.com", more: str = "") -> Sample:
    text = _HEAD.format(name=name) + textwrap.indent(textwrap.dedent(more.strip("\n")), "    ")
    return Sample(files={"webhook.yaml": text}, command="validation-gen crd check webhook.yaml")


def _condition(expression: str) -> Sample:
    return _checked(more=f'matchConditions:\n  - name: no-nodes\n    expression: "{expression}"\n')


_KIND = """
import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Robot struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +k8s:optional
	// +k8s:minimum=0
	Arms *int32 `json:"arms,omitempty"`
}
"""
_BODY = """
// +k8s:isSubresource="/arms"
type RobotArms struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +k8s:optional
	// +k8s:minimum=0
	Arms *int32 `json:"arms,omitempty"`
}
"""
_GROUP = {"v1/doc.go": "// +groupName=robots.example.com\npackage v1\n"}
_EMIT = "validation-gen v1 --emit webhooks"

EXPLANATIONS = {
    "VG560": Explanation(
        "A configuration says which requests an API server sends to a webhook, and what it does without an answer. "
        "What the server has against one is told in its words; nothing is registered then.",
        _checked(name="robots.example"),
        _checked(),
        (Severity.ERROR, Severity.WARNING),
    ),
    "VG561": Explanation(
        "A condition is an expression in CEL, true where the webhook is to be asked. It is about `object`, "
        "`oldObject`, `request` and `authorizer`, and the API server takes none that does not compile.",
        _condition("request.user.username != 'system:node'"),
        _condition("request.userInfo.username != 'system:node'"),
    ),
    "VG562": Explanation(
        "A webhook is asked about resources. What has rules and is none, or cannot be put into its image, is told, as "
        "nobody would see that it is missing.",
        Sample(_KIND + _BODY, _GROUP, _EMIT),
        Sample(_KIND, _GROUP, _EMIT),
        (Severity.WARNING,),
    ),
}
