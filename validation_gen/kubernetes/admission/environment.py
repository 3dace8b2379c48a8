"""Names that expressions of a policy see, and their types.

When a policy runs, `object`, `oldObject` and `params` may be anything; for type checks they have the types of their
schemas. Source of the behaviour: `pkg/admission/plugin/cel/compile.go` and `composition.go` of `k8s.io/apiserver`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from validation_gen.kubernetes.cel import NEWEST, types
from validation_gen.kubernetes.cel.declarations import OF_MUTATIONS, Environment, functions
from validation_gen.kubernetes.cel.schemas import Declarations, Declared, Schema
from validation_gen.kubernetes.cel.types import BOOL, DYN, INT, STRING, TIMESTAMP, Kind, Type, list_type, map_type

#: All variables, in the order in which a plan takes their values.
VARIABLES = (
    "object",
    "oldObject",
    "request",
    "namespaceObject",
    "params",
    "authorizer",
    "authorizer.requestResource",
    "variables",
)

_TEXTS = map_type(STRING, STRING)
_KIND = types.object_type("kubernetes.GroupVersionKind")
_RESOURCE = types.object_type("kubernetes.GroupVersionResource")
#: Fields of objects by the names of their types, in groups of one type.
_GROUPS: dict[str, dict[str, Type]] = {
    "GroupVersionKind": {"group version kind": STRING},
    "GroupVersionResource": {"group version resource": STRING},
    "UserInfo": {
        "username uid": STRING,
        "groups": list_type(STRING),
        "extra": map_type(STRING, list_type(STRING)),
    },
    "AdmissionRequest": {
        "kind requestKind": _KIND,
        "resource requestResource": _RESOURCE,
        "subResource requestSubResource name namespace operation": STRING,
        "userInfo": types.object_type("kubernetes.UserInfo"),
        "dryRun": BOOL,
        "options": DYN,
    },
    "NamespaceSpec": {"finalizers": list_type(STRING)},
    "NamespaceCondition": {"status type message reason": STRING, "lastTransitionTime": TIMESTAMP},
    "NamespaceStatus": {
        "conditions": list_type(types.object_type("kubernetes.NamespaceCondition")),
        "phase": STRING,
    },
    "NamespaceMetadata": {
        "name generateName namespace UID resourceVersion": STRING,
        "labels annotations": _TEXTS,
        "creationTimestamp deletionTimestamp": TIMESTAMP,
        "deletionGracePeriodSeconds generation": INT,
        "finalizers": list_type(STRING),
    },
    "Namespace": {
        name: types.object_type(f"kubernetes.Namespace{name.capitalize()}") for name in ("metadata", "spec", "status")
    },
}
_OBJECTS: dict[str, dict[str, Type]] = {
    f"kubernetes.{name}": {field: type for names, type in groups.items() for field in names.split()}
    for name, groups in _GROUPS.items()
}
_VARIABLES_TYPE = "kubernetes.variables"


_STRING: Schema = {"type": "string"}
_NAME: Schema = {"type": "string", "maxLength": 253}
_INTEGER: Schema = {"type": "integer"}
_LABELS: Schema = {"type": "object", "additionalProperties": _STRING}
_MOMENT: Schema = {"type": "string", "format": "date-time"}
_OWNER: Schema = {
    "type": "object",
    "properties": {
        **dict.fromkeys(("apiVersion", "kind", "name", "uid"), _STRING),
        "blockOwnerDeletion": {"type": "boolean"},
        "controller": {"type": "boolean"},
    },
}
#: The metadata of any object, with the sizes that the API server admits.
OBJECT_META: Schema = {
    "type": "object",
    "properties": {
        **dict.fromkeys(("resourceVersion", "selfLink", "uid"), _STRING),
        **dict.fromkeys(("name", "generateName"), _NAME),
        "namespace": {"type": "string", "maxLength": 63},
        **dict.fromkeys(("annotations", "labels"), _LABELS),
        **dict.fromkeys(("creationTimestamp", "deletionTimestamp"), _MOMENT),
        **dict.fromkeys(("deletionGracePeriodSeconds", "generation"), _INTEGER),
        "finalizers": {"type": "array", "items": _STRING},
        "ownerReferences": {"type": "array", "items": _OWNER},
    },
}


@dataclass(frozen=True, slots=True)
class Typed:
    """Types of a variable by its schema: its declaration, and the fields of all objects in it."""

    declared: Declared
    objects: Mapping[str, Mapping[str, Type]]


def find_types(schema: Schema, kind: str) -> Typed | None:
    """Returns the types by the schema of a kind; `None` if it has no type that expressions could use."""
    declarations = Declarations()
    properties = {"apiVersion": _STRING, "kind": _STRING, **(schema.get("properties") or {}), "metadata": OBJECT_META}
    declared = declarations.declared({**schema, "properties": properties}, kind, root=True)
    return Typed(declared, declarations.objects) if declared is not None else None


_PATCH: Mapping[str, Type] = {"op": STRING, "from": STRING, "path": STRING, "value": DYN}


class MutationEnvironment(Environment):
    """Environment for constructing objects: patches, and the objects they set, whose fields may be anything."""

    __slots__ = ()

    def made(self, name: str) -> Callable[[str], Type | None] | None:
        if name == "JSONPatch":
            return _PATCH.get
        return (lambda _: DYN) if name == "Object" or name.startswith("Object.") else None


@dataclass(slots=True)
class Names:
    """Names that the expressions of one policy can use. Its variables are added one after the other.

    Attributes:
        params: whether the policy has a kind of parameters.
        object_type: types of `object` and `oldObject` by their schema.
        params_type: types of `params` by its schema.
        minor: the release, as in `validation_gen.kubernetes.cel.declarations`.
        stored: whether expressions are checked as stored ones, which may use all functions of the server.
    """

    params: bool = False
    object_type: Typed | None = None
    params_type: Typed | None = None
    minor: int = NEWEST
    stored: bool = False
    variables: dict[str, Type] = field(default_factory=dict)

    def add(self, name: str, type: Type | None) -> None:
        """Adds a variable. One that does not compile may be anything."""
        self.variables[name] = DYN if type is None else _to_variable_type(type)

    def environment(self, *, authorizer: bool = True, variables: bool = True, patches: bool = False) -> Environment:
        """Returns the names and types for an expression, with or without some of them.

        `patches`: the objects that mutations construct are known, too.
        """
        objects: dict[str, Mapping[str, Type]] = dict(_OBJECTS)
        subject = params = DYN
        if self.object_type is not None:
            subject = self.object_type.declared.type
            objects |= self.object_type.objects
        if self.params_type is not None:
            params = self.params_type.declared.type
            objects |= self.params_type.objects
        found = {
            "object": subject,
            "oldObject": subject,
            "request": types.object_type("kubernetes.AdmissionRequest"),
            "namespaceObject": types.object_type("kubernetes.Namespace"),
        }
        if self.params:
            found["params"] = params
        if authorizer:
            found["authorizer"] = types.object_type("kubernetes.authorization.Authorizer")
            found["authorizer.requestResource"] = types.object_type("kubernetes.authorization.ResourceCheck")
        if variables:
            found["variables"] = types.object_type(_VARIABLES_TYPE)
            objects[_VARIABLES_TYPE] = dict(self.variables)
        known = functions(self.minor, stored=self.stored)
        if patches:
            objects["JSONPatch"] = _PATCH
            escape = functions(OF_MUTATIONS)["jsonpatch.escapeKey"]
            return MutationEnvironment(found, {**known, escape.name: escape}, objects)
        return Environment(found, known, objects)

    @property
    def sizes(self) -> dict[str, Declared]:
        """Returns the declarations that limit the sizes of variables, for estimates of cost."""
        found: dict[str, Declared] = {}
        if self.object_type is not None:
            found |= {"object": self.object_type.declared, "oldObject": self.object_type.declared}
        if self.params_type is not None:
            found["params"] = self.params_type.declared
        return found


_KEPT = frozenset(
    (
        *(Kind.ANY, Kind.BOOL, Kind.BYTES, Kind.DOUBLE, Kind.DURATION, Kind.INT, Kind.NULL, Kind.STRING),
        *(Kind.TIMESTAMP, Kind.UINT),
    )
)


def _to_variable_type(type: Type) -> Type:
    """Converts the type of an expression to the type of a variable: objects and optionals become dynamic."""
    if type.kind is Kind.LIST:
        return list_type(_to_variable_type(type.parameters[0]))
    if type.kind is Kind.MAP:
        return map_type(*map(_to_variable_type, type.parameters))
    return type if type.kind in _KEPT else DYN
