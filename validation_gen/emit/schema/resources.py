"""CustomResourceDefinitions: all versions of a kind in one object, as it is applied to a cluster."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from validation_gen.diagnostics import Span
from validation_gen.emit.checkwalk import Gap
from validation_gen.emit.schema import SchemaOptions
from validation_gen.emit.schema.budget import Excess, Unfit, drop_unfit, fit
from validation_gen.emit.schema.constrain import Constrainer
from validation_gen.emit.schema.defaults import admits, drop_refused
from validation_gen.emit.schema.node import Node, ValueRef
from validation_gen.emit.schema.structure import Excessive, Structure
from validation_gen.ir import Conversion, PackagePlan, PrinterColumn, Program, ResourceNotes, Root, StructRef, Wire
from validation_gen.types.naming import pluralize

_VERSION = re.compile(r"v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?")
_STAGES = {"alpha": 0, "beta": 1, None: 2}


@dataclass(slots=True)
class Definition:
    """One CustomResourceDefinition.

    `gaps` are the rules that its schemas cannot express, `excesses` those that the API server refuses as too expensive.
    `refused_defaults` are the locations of invalid defaults, which are omitted. `rivals` are kinds that conflict with
    the versions: another kind or a duplicate version. `cut` are the ids of recursive types, which are not expanded.
    """

    group: str
    plural: str
    versions: list[tuple[PackagePlan, Root]] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    excesses: list[Excess] = field(default_factory=list)
    refused_defaults: list[Span] = field(default_factory=list)
    #: Parts that the schemas omit because of an unknown type.
    unfit: list[Unfit] = field(default_factory=list)
    rivals: list[tuple[PackagePlan, Root]] = field(default_factory=list)
    cut: set[str] = field(default_factory=set)

    @property
    def name(self) -> str:
        return f"{self.plural}.{self.group}"

    @property
    def file(self) -> str:
        return f"{self.group}_{self.plural}.yaml"


def definitions(program: Program) -> list[Definition]:
    """Returns the kinds of a program as custom resources, their versions by Kubernetes' priority, the newest last."""
    found: dict[tuple[str, str], Definition] = {}
    for package in program.packages.values():
        for root in package.roots:
            if (
                root.resource.skip
                or "/" not in root.subresources
                or not program.is_sound(root.type)
                or not program.is_resource(root.type)
            ):
                continue
            plural = root.resource.plural or pluralize(root.kind)
            definition = found.setdefault((package.group, plural), Definition(package.group, plural))
            fits = all(root.kind == o.kind and package.version != p.version for p, o in definition.versions)
            (definition.versions if fits else definition.rivals).append((package, root))
    for definition in found.values():
        definition.versions.sort(key=lambda version: priority(version[0].version))
    return [found[key] for key in sorted(found)]


def is_defined(program: Program, root: Root) -> bool:
    """Returns whether a definition declares a kind, so that only its schema describes it."""
    shape = program.types[root.type].shape if root.type in program.types else None
    return root.type in program.schemas and isinstance(shape, Wire) and shape.opaque


def priority(version: str) -> tuple[int, int, int, str]:
    """A sort key: general availability above beta above alpha, then numbers; other names come first by the alphabet.

    Source: version priority in the documentation of CustomResourceDefinition versioning.
    """
    match = _VERSION.fullmatch(version)
    if match is None:
        return -1, 0, 0, version
    return _STAGES[match[2]], int(match[1]), int(match[3] or 0), ""


@dataclass(slots=True)
class ResourceEmitter:
    """Builds the objects. `whole_metadata`: embedded objects get the complete schema of metadata."""

    program: Program
    options: SchemaOptions
    whole_metadata: bool = False
    #: The kinds whose schemas end before the types do, by the ids of their types.
    excess: dict[str, set[Excessive]] = field(default_factory=dict)

    def definition(self, definition: Definition) -> dict[str, Any]:
        """Returns the CustomResourceDefinition with its schemas, ready to be written.

        Versions are sorted by name, as in controller-gen. Their order has no meaning for the API server.
        """
        newest = definition.versions[-1][1]
        notes = [root.resource for _, root in definition.versions]
        stored = next((root for _, root in definition.versions if root.resource.storage), newest)
        metadata: dict[str, Any] = {"name": definition.name}
        for name in ("annotations", "labels"):
            merged: dict[str, str] = {}
            for note in notes:
                merged |= getattr(note, name)
            if merged:
                metadata[name] = dict(sorted(merged.items()))
        spec: dict[str, Any] = {"group": definition.group}
        conversion = next((note.conversion for note in reversed(notes) if note.conversion), None)
        if conversion is not None:
            spec["conversion"] = _conversion(conversion)
        spec["names"] = _names(newest.kind, definition.plural, notes)
        spec["scope"] = next((note.scope for note in reversed(notes) if note.scope), "Namespaced")
        spec["versions"] = [
            self._version(definition, package, root, stored is root)
            for package, root in sorted(definition.versions, key=lambda version: version[0].version)
        ]
        return {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": dict(sorted(metadata.items())),
            "spec": spec,
        }

    def _version(self, definition: Definition, package: PackagePlan, root: Root, stored: bool) -> dict[str, Any]:
        note = root.resource
        version: dict[str, Any] = {"name": package.version}
        if note.columns:
            version["additionalPrinterColumns"] = [_column(column) for column in note.columns]
        if note.deprecated:
            version["deprecated"] = True
            if note.deprecation_warning is not None:
                version["deprecationWarning"] = note.deprecation_warning
        version["schema"] = {"openAPIV3Schema": self.schema(root, definition).as_json()}
        if note.selectable:
            version["selectableFields"] = [{"jsonPath": path} for path in note.selectable]
        version |= {"served": note.served, "storage": stored}
        subresources: dict[str, Any] = {}
        if note.scale is not None:
            scale = {
                "labelSelectorPath": note.scale.label_selector,
                "specReplicasPath": note.scale.spec_replicas,
                "statusReplicasPath": note.scale.status_replicas,
            }
            subresources["scale"] = {key: value for key, value in scale.items() if value}
        if note.status or "/status" in root.subresources:
            subresources["status"] = {}
        if subresources or note.columns:
            # controller-gen writes an empty object for columns. It has no effect.
            version["subresources"] = subresources
        return version

    def schema(self, root: Root, definition: Definition | None = None) -> Node:
        """Returns the structural schema of a kind. Rules that it cannot express become gaps of the definition."""
        structure = Structure(self.program, self.options, whole_metadata=self.whole_metadata)
        node = structure.build_node(StructRef(root.type))
        if structure.excess:
            self.excess[root.type] = structure.excess
        metadata = node.properties.get("metadata")
        if metadata is not None:
            node.properties["metadata"] = Node({"type": "object"})
        node.required -= {"apiVersion", "kind"}
        constrainer = Constrainer(self.program, self.options)
        if self.options.tags:
            constrainer.type(root.type, ValueRef(node, StructRef(root.type)))
        for each in node.nodes():
            _complete(each, exact=self.options.exact)
            for keyword in _NOT_IN_DEFINITIONS:
                each.keywords.pop(keyword, None)
        unfit = drop_unfit(node)
        refused = []
        for each in drop_refused(node):
            if each.lost_type():
                unfit.append(Unfit(each.lost_type(), "the schema goes without this default", each.default_span))
            else:
                refused.append(each.default_span)
        excesses = fit(node)
        if definition is not None:
            definition.refused_defaults += [span for span in refused if span is not None]
            definition.gaps += constrainer.gaps
            definition.excesses += excesses
            definition.unfit += unfit
            definition.cut |= {id for id in structure.cut if _is_limited(self.program, id)}
        return node


def _is_limited(program: Program, type: str) -> bool:
    """Returns whether tags or markers constrain a struct."""
    plan = program.types.get(type)
    if plan is None:
        return False
    notes = (plan.notes, *(member.notes for member in plan.fields))
    return program.checks_something(type) or any(note.validations or note.keywords for note in notes)


def _complete(node: Node, *, exact: bool) -> None:
    """Adds the API server's requirement for lists with keys: items always have them."""
    keywords = node.keywords
    items = node.items
    if items is None:
        return
    if items.cut and keywords.get("x-kubernetes-list-type") in ("map", "set"):
        keywords["x-kubernetes-list-type"] = "atomic"
        keywords.pop("x-kubernetes-list-map-keys", None)
    if keywords.get("x-kubernetes-list-type") == "map":
        for key in keywords.get("x-kubernetes-list-map-keys", ()):
            part = items.properties.get(key)
            if part is None or key in items.required or "default" in part.keywords:
                continue
            zero = _ZEROS.get(str(part.keywords.get("type")))
            if exact and zero is not None and admits(part, zero):
                part.keywords["default"] = zero
            else:
                items.required.add(key)
    elif keywords.get("x-kubernetes-list-type") == "set":
        if items.keywords.get("type") == "object":
            items.keywords.setdefault("x-kubernetes-map-type", "atomic")
        elif items.keywords.get("type") == "array":
            items.keywords.setdefault("x-kubernetes-list-type", "atomic")


#: Keywords that OpenAPI documents of built-in types have, and that definitions may not.
_NOT_IN_DEFINITIONS = ("x-kubernetes-patch-merge-key", "x-kubernetes-patch-strategy")

_ZEROS: Mapping[str, Any] = {"string": "", "integer": 0, "boolean": False}


def _names(kind: str, plural: str, notes: list[ResourceNotes]) -> dict[str, Any]:
    def find_note(name: str) -> Any:
        return next((value for note in reversed(notes) if (value := getattr(note, name))), None)

    names: dict[str, Any] = {
        "categories": list(find_note("categories") or ()),
        "kind": kind,
        "listKind": find_note("list_kind") or f"{kind}List",
        "plural": plural,
        "shortNames": list(find_note("short_names") or ()),
        "singular": find_note("singular") or kind.lower(),
    }
    return {key: value for key, value in names.items() if value}


def _column(column: PrinterColumn) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "description": column.description,
        "format": column.format,
        "jsonPath": column.json_path,
        "name": column.name,
        "priority": column.priority,
        "type": column.type,
    }
    return {key: value for key, value in entry.items() if value}


def _conversion(conversion: Conversion) -> dict[str, Any]:
    client: dict[str, Any] = {}
    if conversion.url:
        client["url"] = conversion.url
    else:
        service: dict[str, Any] = {"name": conversion.service_name, "namespace": conversion.service_namespace}
        if conversion.path:
            service["path"] = conversion.path
        if conversion.port is not None:
            service["port"] = conversion.port
        client["service"] = service
    return {
        "strategy": "Webhook",
        "webhook": {"clientConfig": client, "conversionReviewVersions": list(conversion.review_versions)},
    }
