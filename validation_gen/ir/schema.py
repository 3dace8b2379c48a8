"""Schemas and resources in declarations, besides the rules: documentation, keywords, names, columns.

They come from the comments of other generators (`+kubebuilder:`, `+listType=`, `+default=` …), in the words of OpenAPI
and of CustomResourceDefinitions. Rules are not among them: they are checks.
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

    `doc` is the comment without its tags. `keywords` are those of the schema by name (`maxLength`, `default`,
    `x-kubernetes-list-type` …) with JSON values, `spans` their positions, and `ruled` the names of those that come from
    tags of declarative validation. `presence` is `"required"`, `"optional"` or `""`. `items` are the notes of the items
    of a list, `values` of the values of a map, `properties` of the fields of a struct in this place. `schemaless` drops
    all facts about the type. `borrowed` has further notes for definitions only: controller-gen's reading of the tags
    inside Kubernetes' own types, which validators ignore.
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
