"""Go types that a definition is decoded into, reduced to names, kinds and fields.

Follows `types.go` and `types_jsonschema.go` of `k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1`, and
`ObjectMeta` of `k8s.io/apimachinery/pkg/apis/meta/v1`. This module does not validate values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from validation_gen.runtime.wire import WIRE, WireForm


@dataclass(frozen=True, slots=True)
class Scalar:
    """A string, a number or a boolean. `name` is its name in messages, `kind` its underlying kind."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class ListOf:
    item: GoType
    name: str


@dataclass(frozen=True, slots=True)
class MapOf:
    value: GoType
    name: str


@dataclass(frozen=True, slots=True)
class Struct:
    """A struct and its fields by their names in JSON. Recursive types get their fields later."""

    name: str
    fields: dict[str, GoType] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Own:
    """A type that decodes itself.

    `struct` is the type of an object. `items` is the type of the items of a list, if lists are allowed. `strict`
    refuses other values, and `form` checks scalars; `describe` has the decoder's words for one that does not fit.
    """

    struct: Struct | None = None
    items: GoType | None = None
    strict: bool = False
    form: WireForm | None = None
    describe: Callable[[Any], str] | None = None


GoType = Scalar | ListOf | MapOf | Struct | Own

STRING = Scalar("string", "string")
BOOL = Scalar("bool", "bool")
INT32 = Scalar("int32", "int32")
INT64 = Scalar("int64", "int64")
FLOAT64 = Scalar("float64", "float64")
STRINGS = ListOf(STRING, "[]string")
STRING_MAP = MapOf(STRING, "map[string]string")
ANYTHING = Own()
TIME = Own(form=WIRE["time"])


def _named(name: str) -> Scalar:
    return Scalar(name, "string")


# --- schemas ----------------------------------------------------------------------------------------------------------

SCHEMA = Struct("v1.JSONSchemaProps")
_SCHEMAS = ListOf(SCHEMA, "[]v1.JSONSchemaProps")
_RULE = Struct(
    "v1.ValidationRule",
    {
        "rule": STRING,
        "message": STRING,
        "messageExpression": STRING,
        "reason": _named("v1.FieldValueErrorReason"),
        "fieldPath": STRING,
        "optionalOldSelf": BOOL,
    },
)
SCHEMA_OR_ARRAY = Own(SCHEMA, SCHEMA)
SCHEMA_OR_BOOL = Own(SCHEMA, strict=True)
SCHEMA_OR_STRINGS = Own(SCHEMA, STRING)

SCHEMA.fields.update(
    {
        **dict.fromkeys(("id", "$ref", "description", "type", "format", "title", "pattern"), STRING),
        **dict.fromkeys(("x-kubernetes-list-type", "x-kubernetes-map-type"), STRING),
        "$schema": _named("v1.JSONSchemaURL"),
        **dict.fromkeys(("default", "example"), ANYTHING),
        "enum": ListOf(ANYTHING, "[]v1.JSON"),
        **dict.fromkeys(("maximum", "minimum", "multipleOf"), FLOAT64),
        **dict.fromkeys(("maxLength", "minLength", "maxItems", "minItems", "maxProperties", "minProperties"), INT64),
        **dict.fromkeys(("exclusiveMaximum", "exclusiveMinimum", "uniqueItems", "nullable"), BOOL),
        **dict.fromkeys(
            (
                "x-kubernetes-preserve-unknown-fields",
                "x-kubernetes-embedded-resource",
                "x-kubernetes-int-or-string",
            ),
            BOOL,
        ),
        **dict.fromkeys(("required", "x-kubernetes-list-map-keys"), STRINGS),
        **dict.fromkeys(("allOf", "oneOf", "anyOf"), _SCHEMAS),
        "not": SCHEMA,
        **dict.fromkeys(("properties", "patternProperties"), MapOf(SCHEMA, "map[string]v1.JSONSchemaProps")),
        "definitions": MapOf(SCHEMA, "v1.JSONSchemaDefinitions"),
        "dependencies": MapOf(SCHEMA_OR_STRINGS, "v1.JSONSchemaDependencies"),
        "items": SCHEMA_OR_ARRAY,
        **dict.fromkeys(("additionalProperties", "additionalItems"), SCHEMA_OR_BOOL),
        "externalDocs": Struct("v1.ExternalDocumentation", {"description": STRING, "url": STRING}),
        "x-kubernetes-validations": ListOf(_RULE, "v1.ValidationRules"),
    }
)

# --- metadata ---------------------------------------------------------------------------------------------------------

_OWNER = Struct(
    "v1.OwnerReference",
    {
        **dict.fromkeys(("apiVersion", "kind", "name"), STRING),
        "uid": _named("types.UID"),
        **dict.fromkeys(("controller", "blockOwnerDeletion"), BOOL),
    },
)
_MANAGED = Struct(
    "v1.ManagedFieldsEntry",
    {
        **dict.fromkeys(("manager", "apiVersion", "fieldsType", "subresource"), STRING),
        "operation": _named("v1.ManagedFieldsOperationType"),
        "time": TIME,
        "fieldsV1": ANYTHING,
    },
)
OBJECT_META = Struct(
    "v1.ObjectMeta",
    {
        **dict.fromkeys(("name", "generateName", "namespace", "selfLink", "resourceVersion"), STRING),
        "uid": _named("types.UID"),
        **dict.fromkeys(("generation", "deletionGracePeriodSeconds"), INT64),
        **dict.fromkeys(("creationTimestamp", "deletionTimestamp"), TIME),
        **dict.fromkeys(("labels", "annotations"), STRING_MAP),
        "ownerReferences": ListOf(_OWNER, "[]v1.OwnerReference"),
        "finalizers": STRINGS,
        "managedFields": ListOf(_MANAGED, "[]v1.ManagedFieldsEntry"),
    },
)

# --- definitions ------------------------------------------------------------------------------------------------------

_NAMES = Struct(
    "v1.CustomResourceDefinitionNames",
    {
        **dict.fromkeys(("plural", "singular", "kind", "listKind"), STRING),
        **dict.fromkeys(("shortNames", "categories"), STRINGS),
    },
)
_COLUMN = Struct(
    "v1.CustomResourceColumnDefinition",
    {**dict.fromkeys(("name", "type", "format", "description", "jsonPath"), STRING), "priority": INT32},
)
_SCALE = Struct(
    "v1.CustomResourceSubresourceScale",
    dict.fromkeys(("specReplicasPath", "statusReplicasPath", "labelSelectorPath"), STRING),
)
_SUBRESOURCES = Struct(
    "v1.CustomResourceSubresources",
    {"status": Struct("v1.CustomResourceSubresourceStatus"), "scale": _SCALE},
)
_VERSION = Struct(
    "v1.CustomResourceDefinitionVersion",
    {
        **dict.fromkeys(("name", "deprecationWarning"), STRING),
        **dict.fromkeys(("served", "storage", "deprecated"), BOOL),
        "schema": Struct("v1.CustomResourceValidation", {"openAPIV3Schema": SCHEMA}),
        "subresources": _SUBRESOURCES,
        "additionalPrinterColumns": ListOf(_COLUMN, "[]v1.CustomResourceColumnDefinition"),
        "selectableFields": ListOf(Struct("v1.SelectableField", {"jsonPath": STRING}), "[]v1.SelectableField"),
    },
)
_SERVICE = Struct("v1.ServiceReference", {**dict.fromkeys(("namespace", "name", "path"), STRING), "port": INT32})
CLIENT = Struct("v1.WebhookClientConfig", {"url": STRING, "service": _SERVICE, "caBundle": Own(form=WIRE["bytes"])})
_WEBHOOK = Struct("v1.WebhookConversion", {"clientConfig": CLIENT, "conversionReviewVersions": STRINGS})
_CONVERSION = Struct(
    "v1.CustomResourceConversion", {"strategy": _named("v1.ConversionStrategyType"), "webhook": _WEBHOOK}
)
_SPEC = Struct(
    "v1.CustomResourceDefinitionSpec",
    {
        "group": STRING,
        "names": _NAMES,
        "scope": _named("v1.ResourceScope"),
        "versions": ListOf(_VERSION, "[]v1.CustomResourceDefinitionVersion"),
        "conversion": _CONVERSION,
        "preserveUnknownFields": BOOL,
    },
)
_CONDITION = Struct(
    "v1.CustomResourceDefinitionCondition",
    {
        "type": _named("v1.CustomResourceDefinitionConditionType"),
        "status": _named("v1.ConditionStatus"),
        "lastTransitionTime": TIME,
        **dict.fromkeys(("reason", "message"), STRING),
        "observedGeneration": INT64,
    },
)
_STATUS = Struct(
    "v1.CustomResourceDefinitionStatus",
    {
        "conditions": ListOf(_CONDITION, "[]v1.CustomResourceDefinitionCondition"),
        "acceptedNames": _NAMES,
        "storedVersions": STRINGS,
        "observedGeneration": INT64,
    },
)
DEFINITION = Struct(
    "v1.CustomResourceDefinition",
    {
        **dict.fromkeys(("apiVersion", "kind"), STRING),
        "metadata": OBJECT_META,
        "spec": _SPEC,
        "status": _STATUS,
    },
)

# --- requests about the scale of an object ----------------------------------------------------------------------------

#: `Scale` of `k8s.io/api/autoscaling/v1`.
SCALE = Struct(
    "v1.Scale",
    {
        **dict.fromkeys(("apiVersion", "kind"), STRING),
        "metadata": OBJECT_META,
        "spec": Struct("v1.ScaleSpec", {"replicas": INT32}),
        "status": Struct("v1.ScaleStatus", {"replicas": INT32, "selector": STRING}),
    },
)
