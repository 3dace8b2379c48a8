"""Codes about CustomResourceDefinitions. All but those about decoding are errors of the API server on a create."""

from __future__ import annotations

import textwrap

from validation_gen.diagnostics import Severity
from validation_gen.uses.explain.explanations.base import Explanation, Sample

_CHECK = "validation-gen crd check robots.yaml"
_HEAD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: robots.example.com
spec:
  group: example.com
  scope: Namespaced
  names:
    kind: Robot
    plural: robots
"""
_VERSION = """\
  versions:
    - name: v1
      served: true
      storage: true
"""
_SCHEMA = """\
      schema:
        openAPIV3Schema:
          type: object
"""


def _whole(text: str) -> Sample:
    return Sample(files={"robots.yaml": text}, command=_CHECK)


def _properties(text: str) -> Sample:
    """Returns a definition whose objects have these properties."""
    shown = textwrap.indent(textwrap.dedent(text).strip("\n"), " " * 12)
    return _whole(f"{_HEAD}{_VERSION}{_SCHEMA}          properties:\n{shown}\n")


def _version(text: str) -> Sample:
    """Returns a definition with more settings of a version, whose objects have `spec.wheels`."""
    shown = textwrap.indent(textwrap.dedent(text).strip("\n"), " " * 6)
    wheels = "          properties:\n            spec:\n              type: object\n              properties:\n"
    wheels += "                wheels:\n                  type: integer\n"
    return _whole(f"{_HEAD}{_VERSION}{shown}\n{_SCHEMA}{wheels}")


def _conversion(text: str) -> Sample:
    shown = textwrap.indent(textwrap.dedent(text).strip("\n"), "  ")
    return _whole(f"{_HEAD}{shown}\n{_VERSION}{_SCHEMA}")


def _nested(depth: int) -> str:
    """Returns nested properties, made by aliases."""
    lines = [
        "a: &a",
        "  type: string",
        "  description:",
        *["    a part that every robot has, and some have twice"] * 12,
    ]
    for outer, inner in zip("bcde"[:depth], "abcd"[:depth], strict=True):
        inside = ", ".join(f"{name}: *{inner}" for name in "abcdefgh")
        lines.append(f"{outer}: &{outer} {{type: object, properties: {{{inside}}}}}")
    return "\n".join(lines)


_GOOD = _whole(f"{_HEAD}{_VERSION}{_SCHEMA}")


def _twice(*, longest: int) -> Sample:
    """Returns two definitions of a kind, the second with another limit, and an object."""
    first = f"{_HEAD}{_VERSION}{_SCHEMA}          properties:\n            size: {{type: string, maxLength: 9}}\n"
    second = first.replace("maxLength: 9", f"maxLength: {longest}")
    robot = "apiVersion: example.com/v1\nkind: Robot\nmetadata:\n  name: talos\n"
    files = {"robots.yaml": first, "copy.yaml": second, "talos.yaml": robot}
    return Sample("", files, "validation-gen validate robots.yaml copy.yaml -f talos.yaml")


EXPLANATIONS = {
    "VG501": Explanation(
        "The API server drops what a schema does not describe, fills in defaults and publishes the schema. For that it "
        "has to know the type of every value without judging any, so a schema is structural: types stand in the schema "
        "itself, and `allOf`, `anyOf`, `oneOf` and `not` only judge what is described there. Where the API server does "
        "not notice that they judge something else, it is a warning.",
        _properties("""
            spec:
              properties:
                wheels:
                  type: integer
        """),
        _properties("""
            spec:
              type: object
              properties:
                wheels:
                  type: integer
        """),
        (Severity.ERROR, Severity.WARNING),
    ),
    "VG502": Explanation(
        "OpenAPI has keywords that contradict what Kubernetes does with objects, such as `$ref`, or that cost too much "
        "to check. Those are refused. Keywords and formats that nobody knows are dropped, which is a warning.",
        _properties("""
            wheels:
              type: array
              uniqueItems: true
              items:
                type: string
        """),
        _properties("""
            wheels:
              type: array
              x-kubernetes-list-type: set
              items:
                type: string
        """),
        (Severity.ERROR, Severity.WARNING),
    ),
    "VG503": Explanation(
        "Names of a definition become part of URLs, of manifests and of other names. The group is a domain, and the "
        "definition itself is called after its plural and its group.",
        _whole(f"{_HEAD}{_VERSION}{_SCHEMA}".replace("  name: robots.example.com", "  name: robots")),
        _GOOD,
    ),
    "VG504": Explanation(
        "Objects are stored in one version and served in all others, each of which has a name and a schema.",
        _whole(f"{_HEAD}{_VERSION}{_SCHEMA}    - name: v2\n      served: true\n      storage: false\n"),
        _whole(f"{_HEAD}{_VERSION}{_SCHEMA}    - name: v2\n      served: true\n      storage: false\n{_SCHEMA}"),
    ),
    "VG505": Explanation(
        "Server-side apply merges lists and objects as the schema says. Items of a map are told apart by keys, which "
        "must therefore be scalar and always there; items of a set are compared as wholes.",
        _properties("""
            arms:
              type: array
              x-kubernetes-list-type: map
              x-kubernetes-list-map-keys: [name]
              items:
                type: object
                properties:
                  name:
                    type: string
        """),
        _properties("""
            arms:
              type: array
              x-kubernetes-list-type: map
              x-kubernetes-list-map-keys: [name]
              items:
                type: object
                required: [name]
                properties:
                  name:
                    type: string
        """),
        (Severity.ERROR, Severity.WARNING),
    ),
    "VG506": Explanation(
        "A default is stored in objects as if somebody had written it. So it has to be valid, and nothing in it may be "
        "unknown to the schema.",
        _properties("""
            wheels:
              type: integer
              minimum: 1
              default: 0
        """),
        _properties("""
            wheels:
              type: integer
              minimum: 1
              default: 1
        """),
    ),
    "VG507": Explanation(
        "Printer columns, selectable fields and the scale subresource name fields by their paths. The API server "
        "refuses paths that are malformed; what leads nowhere otherwise stays empty, which is a warning.",
        _version("""
            selectableFields:
              - jsonPath: .spec.weels
        """),
        _version("""
            selectableFields:
              - jsonPath: .spec.wheels
        """),
        (Severity.ERROR, Severity.WARNING),
    ),
    "VG508": Explanation(
        "A rule needs an expression, and a message when the expression would not be readable as one. Its path has to "
        "lead to a field of the schema that it stands in.",
        _properties("""
            wheels:
              type: integer
              x-kubernetes-validations:
                - rule: |-
                    self % 2 == 0 ||
                    self == 1
        """),
        _properties("""
            wheels:
              type: integer
              x-kubernetes-validations:
                - message: must be even, or one
                  rule: |-
                    self % 2 == 0 ||
                    self == 1
        """),
    ),
    "VG509": Explanation(
        "More than 1.5 MiB do not fit into a request to etcd, which is an error. `kubectl apply` keeps a copy of the "
        "object in an annotation, and all annotations together may have 256 KiB, which is a warning. What YAML repeats "
        "by aliases counts each time.",
        _properties(_nested(3)),
        _properties(_nested(2)),
        (Severity.WARNING, Severity.ERROR),
    ),
    "VG510": Explanation(
        "`apiVersion`, `kind` and `metadata` are the same in all objects, and the API server judges them itself. A "
        "schema may restrict the name of an object and nothing else of it.",
        _properties("""
            metadata:
              type: object
              properties:
                labels:
                  type: object
        """),
        _properties("""
            metadata:
              type: object
              properties:
                name:
                  type: string
                  maxLength: 20
        """),
    ),
    "VG511": Explanation(
        "The API server reads a definition into Go types before it looks at it. A value of another type is refused as "
        "a whole, so nothing else is said of such a definition.",
        _properties("""
            wheels:
              type: integer
              minimum: "1"
        """),
        _properties("""
            wheels:
              type: integer
              minimum: 1
        """),
    ),
    "VG512": Explanation(
        "Objects are converted between versions by a webhook, or not at all but for their `apiVersion`. A webhook "
        "needs an address and a version of its requests that the API server knows.",
        _conversion("""
            conversion:
              strategy: Webhook
              webhook:
                clientConfig:
                  service:
                    name: converter
                    namespace: robots
                conversionReviewVersions: [v2]
        """),
        _conversion("""
            conversion:
              strategy: Webhook
              webhook:
                clientConfig:
                  service:
                    name: converter
                    namespace: robots
                conversionReviewVersions: [v1]
        """),
    ),
    "VG513": Explanation(
        "Of two definitions of one kind the last counts for `validate` and `apply`: objects would be judged by a file "
        "that nobody has thought of. Two files that say the same are no finding.",
        _twice(longest=5),
        _twice(longest=9),
        (Severity.WARNING,),
    ),
}
