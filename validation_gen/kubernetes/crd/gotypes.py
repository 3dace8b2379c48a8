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


def make_named_string(name: str) -> Scalar:
    """Returns a type with a name of its own that is a string."""
    return Scalar(name, "string")


def struct(name: str, *fields: tuple[str, GoType]) -> Struct:
    """Returns a struct with fields in groups of one type, such as `("name namespace", STRING)`."""
    return Struct(name, {field: type for names, type in fields for field in names.split()})


# --- schemas ----------------------------------------------------------------------------------------------------------

SCHEMA = Struct("v1.JSONSchemaProps")
SCHEMA_OR_ARRAY = Own(SCHEMA, SCHEMA)
SCHEMA_OR_BOOL = Own(SCHEMA, strict=True)
SCHEMA_OR_STRINGS = Own(SCHEMA, STRING)
_RULE = struct(
    "v1.ValidationRule",
    ("rule message messageExpression", STRING),
    ("reason", make_named_string("v1.FieldValueErrorReason")),
    ("fieldPath", STRING),
    ("optionalOldSelf", BOOL),
)
SCHEMA.fields.update(
    struct(
        SCHEMA.name,
        ("id $ref description type format title pattern x-kubernetes-list-type x-kubernetes-map-type", STRING),
        ("$schema", make_named_string("v1.JSONSchemaURL")),
        ("default example", ANYTHING),
        ("enum", ListOf(ANYTHING, "[]v1.JSON")),
        ("maximum minimum multipleOf", FLOAT64),
        ("maxLength minLength maxItems minItems maxProperties minProperties", INT64),
        ("exclusiveMaximum exclusiveMinimum uniqueItems nullable", BOOL),
        ("x-kubernetes-preserve-unknown-fields x-kubernetes-embedded-resource x-kubernetes-int-or-string", BOOL),
        ("required x-kubernetes-list-map-keys", STRINGS),
        ("allOf oneOf anyOf", ListOf(SCHEMA, "[]v1.JSONSchemaProps")),
        ("not", SCHEMA),
        ("properties patternProperties", MapOf(SCHEMA, "map[string]v1.JSONSchemaProps")),
        ("definitions", MapOf(SCHEMA, "v1.JSONSchemaDefinitions")),
        ("dependencies", MapOf(SCHEMA_OR_STRINGS, "v1.JSONSchemaDependencies")),
        ("items", SCHEMA_OR_ARRAY),
        ("additionalProperties additionalItems", SCHEMA_OR_BOOL),
        ("externalDocs", struct("v1.ExternalDocumentation", ("description url", STRING))),
        ("x-kubernetes-validations", ListOf(_RULE, "v1.ValidationRules")),
    ).fields
)

# --- metadata ---------------------------------------------------------------------------------------------------------

_OWNER = struct(
    "v1.OwnerReference",
    ("apiVersion kind name", STRING),
    ("uid", make_named_string("types.UID")),
    ("controller blockOwnerDeletion", BOOL),
)
_MANAGED = struct(
    "v1.ManagedFieldsEntry",
    ("manager apiVersion fieldsType subresource", STRING),
    ("operation", make_named_string("v1.ManagedFieldsOperationType")),
    ("time", TIME),
    ("fieldsV1", ANYTHING),
)
OBJECT_META = struct(
    "v1.ObjectMeta",
    ("name generateName namespace selfLink resourceVersion", STRING),
    ("uid", make_named_string("types.UID")),
    ("generation deletionGracePeriodSeconds", INT64),
    ("creationTimestamp deletionTimestamp", TIME),
    ("labels annotations", STRING_MAP),
    ("ownerReferences", ListOf(_OWNER, "[]v1.OwnerReference")),
    ("finalizers", STRINGS),
    ("managedFields", ListOf(_MANAGED, "[]v1.ManagedFieldsEntry")),
)

# --- definitions ------------------------------------------------------------------------------------------------------

_NAMES = struct(
    "v1.CustomResourceDefinitionNames", ("plural singular kind listKind", STRING), ("shortNames categories", STRINGS)
)
_COLUMN = struct(
    "v1.CustomResourceColumnDefinition", ("name type format description jsonPath", STRING), ("priority", INT32)
)
_SCALE = struct("v1.CustomResourceSubresourceScale", ("specReplicasPath statusReplicasPath labelSelectorPath", STRING))
_SUBRESOURCES = struct(
    "v1.CustomResourceSubresources", ("status", struct("v1.CustomResourceSubresourceStatus")), ("scale", _SCALE)
)
_VERSION = struct(
    "v1.CustomResourceDefinitionVersion",
    ("name deprecationWarning", STRING),
    ("served storage deprecated", BOOL),
    ("schema", struct("v1.CustomResourceValidation", ("openAPIV3Schema", SCHEMA))),
    ("subresources", _SUBRESOURCES),
    ("additionalPrinterColumns", ListOf(_COLUMN, "[]v1.CustomResourceColumnDefinition")),
    ("selectableFields", ListOf(struct("v1.SelectableField", ("jsonPath", STRING)), "[]v1.SelectableField")),
)
_SERVICE = struct("v1.ServiceReference", ("namespace name path", STRING), ("port", INT32))
CLIENT = struct("v1.WebhookClientConfig", ("url", STRING), ("service", _SERVICE), ("caBundle", Own(form=WIRE["bytes"])))
_WEBHOOK = struct("v1.WebhookConversion", ("clientConfig", CLIENT), ("conversionReviewVersions", STRINGS))
_CONVERSION = struct(
    "v1.CustomResourceConversion", ("strategy", make_named_string("v1.ConversionStrategyType")), ("webhook", _WEBHOOK)
)
_SPEC = struct(
    "v1.CustomResourceDefinitionSpec",
    ("group", STRING),
    ("names", _NAMES),
    ("scope", make_named_string("v1.ResourceScope")),
    ("versions", ListOf(_VERSION, "[]v1.CustomResourceDefinitionVersion")),
    ("conversion", _CONVERSION),
    ("preserveUnknownFields", BOOL),
)
_CONDITION = struct(
    "v1.CustomResourceDefinitionCondition",
    ("type", make_named_string("v1.CustomResourceDefinitionConditionType")),
    ("status", make_named_string("v1.ConditionStatus")),
    ("lastTransitionTime", TIME),
    ("reason message", STRING),
    ("observedGeneration", INT64),
)
_STATUS = struct(
    "v1.CustomResourceDefinitionStatus",
    ("conditions", ListOf(_CONDITION, "[]v1.CustomResourceDefinitionCondition")),
    ("acceptedNames", _NAMES),
    ("storedVersions", STRINGS),
    ("observedGeneration", INT64),
)
DEFINITION = struct(
    "v1.CustomResourceDefinition",
    ("apiVersion kind", STRING),
    ("metadata", OBJECT_META),
    ("spec", _SPEC),
    ("status", _STATUS),
)

#: `Scale` of `k8s.io/api/autoscaling/v1`.
SCALE = struct(
    "v1.Scale",
    ("apiVersion kind", STRING),
    ("metadata", OBJECT_META),
    ("spec", struct("v1.ScaleSpec", ("replicas", INT32))),
    ("status", struct("v1.ScaleStatus", ("replicas", INT32), ("selector", STRING))),
)
