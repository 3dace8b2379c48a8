"""Codes about CustomResourceDefinitions."""

from __future__ import annotations

from validation_gen.explain.explanations.base import Explanation, Sample

_CHECK = "validation-gen crd check robots.yaml"


def _sample(**changes: str) -> Sample:
    """A definition that is valid but for what is changed in it."""
    parts = {"group": "example.com"} | changes
    text = _ROBOTS
    for name, value in parts.items():
        text = text.replace(f"<{name}>", value)
    return Sample(files={"robots.yaml": text}, command=_CHECK)


_ROBOTS = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: robots.<group>
spec:
  group: <group>
  scope: Namespaced
  names:
    kind: Robot
    plural: robots
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
"""

EXPLANATIONS = {
    "VG503": Explanation(
        "Names of a definition become part of URLs, of manifests and of other names. The group is a domain, and the "
        "definition itself is called after its plural and its group.",
        _sample(group="example"),
        _sample(),
    ),
}
