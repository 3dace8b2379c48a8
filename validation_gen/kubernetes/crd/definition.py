"""A definition in the API server's internal form: decoded, defaulted, and with common parts at the top.

The server keeps a schema, subresources, columns and selectable fields once if they are the same in all versions. Its
messages then name `spec.validation` where the file has `spec.versions[0].schema`; places know both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from validation_gen.kubernetes.crd.schema import NOTHING_PLAIN, JsonObject, Plain, Schema, read_schema
from validation_gen.kubernetes.crd.schema_path import SchemaPath

SPEC = SchemaPath("spec", "spec")


@dataclass(frozen=True, slots=True)
class Names:
    plural: str = ""
    singular: str = ""
    kind: str = ""
    list_kind: str = ""
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Column:
    """A column of `kubectl get`. Comparisons of columns include the fields that are only displayed."""

    name: str = ""
    type: str = ""
    format: str = ""
    path: str = ""
    description: str = ""
    priority: int = 0


@dataclass(frozen=True, slots=True)
class Scale:
    spec_replicas: str = ""
    status_replicas: str = ""
    label_selector: str | None = None


@dataclass(frozen=True, slots=True)
class Subresources:
    status: bool = False
    scale: Scale | None = None


@dataclass(frozen=True, slots=True)
class Validation:
    """The `schema` of a version, parsed and raw. It may be empty."""

    schema: Schema | None = None
    raw: JsonObject = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Part:
    """The parts that a version, or all of them together, declare, and their place."""

    place: SchemaPath
    validation: Validation | None = None
    subresources: Subresources | None = None
    columns: tuple[Column, ...] = ()
    selectable: tuple[str, ...] = ()

    @property
    def schema(self) -> Schema | None:
        return self.validation.schema if self.validation else None


@dataclass(frozen=True, slots=True)
class Version:
    name: str
    storage: bool
    deprecated: bool
    deprecation_warning: str | None
    part: Part
    served: bool = True


@dataclass(frozen=True, slots=True)
class Conversion:
    """The conversion between versions; `client` is the `clientConfig` of its webhook."""

    strategy: str = "None"
    client: JsonObject | None = None
    review_versions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Definition:
    metadata: JsonObject
    group: str
    scope: str
    names: Names
    versions: tuple[Version, ...]
    shared: Part
    conversion: Conversion
    preserve_unknown_fields: bool


def read_definition(obj: JsonObject, plain: Plain = NOTHING_PLAIN) -> Definition:
    """Builds the definition from decoded JSON, whose types must be those of `gotypes.DEFINITION`.

    Args:
        obj: the decoded JSON.
        plain: schemas in it that are settled, see `read_schema`.
    """
    spec = obj.get("spec") or {}
    read = [_version(raw or {}, index, plain) for index, raw in enumerate(spec.get("versions") or ())]
    versions, shared = _extract_common(read)
    return Definition(
        obj.get("metadata") or {},
        spec.get("group") or "",
        spec.get("scope") or "",
        _names(spec.get("names") or {}),
        versions,
        shared,
        _conversion(spec.get("conversion")),
        bool(spec.get("preserveUnknownFields")),
    )


def _names(raw: JsonObject) -> Names:
    kind = raw.get("kind") or ""
    return Names(
        raw.get("plural") or "",
        raw.get("singular") or kind.lower(),
        kind,
        raw.get("listKind") or (f"{kind}List" if kind else ""),
        _texts(raw.get("shortNames")),
        _texts(raw.get("categories")),
    )


def _texts(raw: Sequence[Any] | None) -> tuple[str, ...]:
    return tuple(item or "" for item in raw or ())


# --- versions ---------------------------------------------------------------------------------------------------------


def _version(raw: JsonObject, index: int, plain: Plain) -> Version:
    validation, subresources = raw.get("schema"), raw.get("subresources")
    part = Part(
        SPEC.child("versions").index(index),
        None if validation is None else _validation(validation, plain),
        None if subresources is None else _subresources(subresources),
        tuple(_column(column or {}) for column in raw.get("additionalPrinterColumns") or ()),
        tuple((item or {}).get("jsonPath") or "" for item in raw.get("selectableFields") or ()),
    )
    return Version(
        raw.get("name") or "",
        bool(raw.get("storage")),
        bool(raw.get("deprecated")),
        raw.get("deprecationWarning"),
        part,
        bool(raw.get("served")),
    )


def _validation(raw: JsonObject, plain: Plain) -> Validation:
    schema = raw.get("openAPIV3Schema")
    return Validation() if schema is None else Validation(read_schema(schema, plain), schema)


def _subresources(raw: JsonObject) -> Subresources:
    scale = raw.get("scale")
    if scale is None:
        return Subresources(raw.get("status") is not None)
    paths = Scale(
        scale.get("specReplicasPath") or "", scale.get("statusReplicasPath") or "", scale.get("labelSelectorPath")
    )
    return Subresources(raw.get("status") is not None, paths)


def _column(raw: JsonObject) -> Column:
    name, type, format, path, text = (
        raw.get(name) or "" for name in ("name", "type", "format", "jsonPath", "description")
    )
    return Column(name, type, format, path, text, raw.get("priority") or 0)


def _extract_common(versions: Sequence[Version]) -> tuple[tuple[Version, ...], Part]:
    """Returns the versions without their common parts, and the common parts."""
    parts = [version.part for version in versions]
    top = Part(SPEC)
    for name in ("validation", "subresources", "columns", "selectable"):
        values, empty = [getattr(part, name) for part in parts], getattr(Part(SPEC), name)
        if values and all(value == values[0] for value in values):
            top = replace(top, **{name: values[0]})
            parts = [replace(part, **{name: empty}) for part in parts]
    return tuple(replace(version, part=part) for version, part in zip(versions, parts, strict=True)), top


# --- conversion -------------------------------------------------------------------------------------------------------


def _conversion(raw: JsonObject | None) -> Conversion:
    if raw is None:
        return Conversion()
    webhook = raw.get("webhook") or {}
    versions = _texts(webhook.get("conversionReviewVersions"))
    return Conversion(raw.get("strategy") or "", webhook.get("clientConfig"), versions)
