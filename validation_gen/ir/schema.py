"""Shapes, the JSON form of the values of a type, and the parts of declarations that only schemas have.

Shapes are equal when their values are alike. The `type` of a shape does not count: it is the id of the declared type of
a value, `""` for an unnamed one.

Documentation, keywords, names and columns come from the comments of other generators (`+kubebuilder:`, `+listType=`,
`+default=` …), in the words of OpenAPI and of CustomResourceDefinitions. Rules are not among them: they are checks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from validation_gen.diagnostics import Span


@dataclass(frozen=True, slots=True)
class Validation:
    """One entry of `x-kubernetes-validations` from a marker. Empty parts are left out."""

    rule: str
    message: str = ""
    message_expression: str = ""
    reason: str = ""
    field_path: str = ""
    optional_old_self: bool | None = None
    span: Span | None = field(default=None, compare=False)


#: The rule that controller-gen writes for `+k8s:immutable` at the field.
UNCHANGED = Validation("self == oldSelf", "field is immutable")


@dataclass(slots=True)
class SchemaNotes:
    """Schema notes of a type, a field, or of a part of it.

    `doc` is the comment without its tags. `keywords` are keywords of the schema by name (`maxLength`, `default`,
    `x-kubernetes-list-type` …) with JSON values, `spans` their positions, and `ruled` the names of keywords that come
    from tags of declarative validation. `presence` is `"required"`, `"optional"` or `""`. `items` are the notes of the
    items of a list, `values` of the values of a map, `properties` of the fields of a struct in this place. `schemaless`
    drops all facts about the type. `borrowed` has further notes for definitions only: controller-gen's reading of the
    tags inside Kubernetes' own types, which validators ignore.
    """

    doc: str = ""
    keywords: dict[str, object] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)
    validations: list[Validation] = field(default_factory=list)
    presence: str = ""
    ruled: set[str] = field(default_factory=set)
    items: SchemaNotes | None = None
    values: SchemaNotes | None = None
    properties: dict[str, SchemaNotes] = field(default_factory=dict)
    schemaless: bool = False
    borrowed: SchemaNotes | None = None


@dataclass(frozen=True, slots=True)
class KindSchema:
    """Schema of a kind, from a definition, that its validators use. `status`: it is a subresource."""

    schema: Mapping[str, Any]
    status: bool = False


@dataclass(frozen=True, slots=True)
class PrinterColumn:
    """A column of `kubectl get`. Priority 0 is always shown, others with `-o wide`."""

    name: str
    type: str
    json_path: str
    description: str = ""
    format: str = ""
    priority: int = 0


@dataclass(frozen=True, slots=True)
class Scale:
    """Paths that make a resource scalable; `label_selector` may be empty."""

    spec_replicas: str
    status_replicas: str
    label_selector: str = ""


@dataclass(frozen=True, slots=True)
class Conversion:
    """Conversion of versions by a webhook: at a URL, or by a service with a path and a port."""

    review_versions: tuple[str, ...]
    url: str = ""
    service_namespace: str = ""
    service_name: str = ""
    path: str = ""
    port: int | None = None


@dataclass(slots=True)
class ResourceNotes:
    """Notes on a kind as a resource. Empty names are derived from the kind. `scope` is `""` without a marker.

    `told`: any marker makes the type a custom resource. `skip` leaves the version out.
    """

    plural: str = ""
    singular: str = ""
    list_kind: str = ""
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    scope: str = ""
    status: bool = False
    scale: Scale | None = None
    columns: list[PrinterColumn] = field(default_factory=list)
    selectable: list[str] = field(default_factory=list)
    storage: bool = False
    served: bool = True
    deprecated: bool = False
    deprecation_warning: str | None = None
    labels: dict[str, str] = field(default_factory=dict)
    annotations: dict[str, str] = field(default_factory=dict)
    conversion: Conversion | None = None
    told: bool = False
    skip: bool = False
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Scalar:
    """A JSON string, number or boolean by its Go type name. `named`: it is a defined type (`type Phase string`)."""

    go: str
    named: bool = False
    type: str = field(default="", compare=False)

    @property
    def zero(self) -> str | int | bool:
        if self.go == "string":
            return ""
        return False if self.go == "bool" else 0


@dataclass(frozen=True, slots=True)
class Wire:
    """A type with a JSON form of its own: `time`, `quantity`, `intorstring`, `raw`, `any` and others.

    An `opaque` one is decoded by unknown code. Its form is `any`.
    """

    form: str
    type: str = field(default="", compare=False)
    opaque: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class PointerTo:
    elem: Shape


@dataclass(frozen=True, slots=True)
class ListOf:
    """A JSON list. A `packed` one, Go's `[]byte`, is a base64 string instead, and its items are the bytes.

    One with a `length` is a Go array: it has that many items whatever the list has. Missing ones are zero values,
    further ones are dropped. Rules do not apply to it.
    """

    elem: Shape
    packed: bool = False
    length: int | None = None
    type: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class MapOf:
    """A JSON object with free names; integer keys are written as decimal names."""

    elem: Shape
    key: Scalar = Scalar("string")
    type: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class StructRef:
    """A struct type by its id (`import/path.Name`); its members are in `Program.structs`."""

    id: str

    @property
    def type(self) -> str:
        return self.id


ValueShape = Scalar | Wire | ListOf | MapOf | StructRef
Shape = ValueShape | PointerTo


def value_shape(shape: Shape) -> ValueShape:
    """Returns the shape without pointers."""
    while isinstance(shape, PointerTo):
        shape = shape.elem
    return shape


@dataclass(frozen=True, slots=True)
class Member:
    """One name of a struct's JSON object, embedded structs flattened as by Go's decoder. `omit` as in `model.Field`.

    `quoted`: JSON has a string that contains the JSON of a scalar. `attribute` is the path of the value in an instance
    of the Python class (`rollout.strategy`), `""` if there is no class.
    """

    json: str
    shape: Shape
    omit: str
    attribute: str = field(default="", compare=False)
    quoted: bool = False
