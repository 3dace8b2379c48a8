"""Converts CustomResourceDefinitions to packages of the model: one for each group and version.

The contents of a definition become types where a language has them, and markers elsewhere. Contents without a marker
are reported.

- `structs`: the types of a schema. It reports lost contents at their locations.
- `keywords`: the other keywords of a schema, as markers.

A kind has markers for the properties beside its schema: names, scope, subresources, columns, versions. The API server
has checked that names are labels and that paths begin with a dot, as markers require.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from validation_gen.commands.convert.defined.keywords import arguments
from validation_gen.commands.convert.defined.structs import Losses, StructWriter
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.kubernetes.manifests import Manifest
from validation_gen.sources.model import Package
from validation_gen.tags.model import CommentLine
from validation_gen.types.naming import pluralize

#: Called with a keyword without a marker, and the reason.
Lose = Callable[[str, str], None]
_Object = Mapping[str, Any]


def kind_markers(definition: _Object, version: _Object) -> list[str]:
    """Returns the markers of a kind in one version of its definition."""
    spec = definition["spec"]
    return [
        *_resource(spec["names"], spec.get("scope")),
        *_version(version),
        *_columns(version.get("additionalPrinterColumns") or ()),
        *_subresources(version.get("subresources") or {}),
    ]


def definition_markers(definition: _Object, lose: Lose) -> list[str]:
    """Returns the markers about the definition as a whole, which can be on any version."""
    metadata = definition.get("metadata") or {}
    found = [
        f"+kubebuilder:metadata:{arguments({name: f'{key}={value}'})}"
        for name in ("annotations", "labels")
        for key, value in (metadata.get(name) or {}).items()
    ]
    return [*found, *_conversion(definition["spec"].get("conversion") or {}, lose)]


def _resource(names: _Object, scope: Any) -> Iterator[str]:
    kind, plural, singular = names["kind"], names["plural"], names.get("singular")
    given = {
        "path": [plural] if plural != pluralize(kind) else [],
        "shortName": names.get("shortNames"),
        "categories": names.get("categories"),
        "singular": [singular] if singular and singular != kind.lower() else [],
        "scope": ["Cluster"] if scope == "Cluster" else [],
    }
    if any(given.values()):
        yield f"+kubebuilder:resource:{arguments({name: texts for name, texts in given.items() if texts})}"
    if names.get("listKind") not in (None, "", f"{kind}List"):
        yield f"+validation-gen:resource:{arguments({'listKind': [names['listKind']]})}"


def _version(version: _Object) -> Iterator[str]:
    if version.get("storage"):
        yield "+kubebuilder:storageversion"
    if not version.get("served"):
        yield "+kubebuilder:unservedversion"
    if version.get("deprecated"):
        warning = version.get("deprecationWarning")
        given = f":{arguments({'warning': warning})}" if warning is not None else ""
        yield f"+kubebuilder:deprecatedversion{given}"
    for field in version.get("selectableFields") or ():
        yield f"+kubebuilder:selectablefield:{arguments({'JSONPath': field['jsonPath']})}"


def _columns(columns: Any) -> Iterator[str]:
    for column in columns:
        given = {"name": column["name"], "type": [column["type"]], "JSONPath": column["jsonPath"]}
        given |= {key: column[key] for key in ("format", "description", "priority") if column.get(key)}
        yield f"+kubebuilder:printcolumn:{arguments(given)}"


def _subresources(subresources: _Object) -> Iterator[str]:
    if subresources.get("status") is not None:
        yield "+kubebuilder:subresource:status"
    if scale := subresources.get("scale"):
        given = {"specpath": scale["specReplicasPath"], "statuspath": scale["statusReplicasPath"]}
        if scale.get("labelSelectorPath"):
            given["selectorpath"] = scale["labelSelectorPath"]
        yield f"+kubebuilder:subresource:scale:{arguments(given)}"


def _conversion(conversion: _Object, lose: Lose) -> Iterator[str]:
    if conversion.get("strategy") != "Webhook":
        return
    webhook = conversion["webhook"]
    client = webhook["clientConfig"]
    given: dict[str, Any] = {"strategy": ["Webhook"]}
    if client.get("url"):
        given["url"] = client["url"]
    else:
        service = client["service"]
        given["service"] = f"{service['namespace']}/{service['name']}"
        given |= {key: service[key] for key in ("path", "port") if service.get(key)}
    if client.get("caBundle"):
        lose("caBundle", "a certificate belongs to one cluster")
    yield f"+validation-gen:conversion:{arguments(given | {'reviewVersions': webhook['conversionReviewVersions']})}"


_VERSION = re.compile(r"v[0-9]+((?:alpha|beta)[0-9]+)?")


def convert_definitions(
    manifests: Iterable[Manifest], diagnostics: Diagnostics, *, docstrings: bool = True
) -> dict[str, Package]:
    """Returns the kinds of definitions as structs, by the import paths of their packages. Losses are reported.

    Descriptions of types become their `docstrings`, or else comments.
    """
    packages: dict[str, Package] = {}
    taken: dict[str, dict[str, int]] = {}
    found = []
    for manifest in sorted(manifests, key=lambda each: each.name):
        spec, whole = manifest.obj["spec"], True
        for number, version in enumerate(spec["versions"]):
            path, kind = f"{spec['group']}/{version['name']}", spec["names"]["kind"]
            span = manifest.positions.span(["spec", "names", "kind"])
            names = taken.setdefault(path, {})
            if kind in names:
                message = f"{kind} in {path} is defined twice, and a class can be of one definition"
                diagnostics.error("VG549", message, span, "leave one of them out")
                continue
            names[kind] = 1
            package = packages.setdefault(path, _package(spec["group"], version["name"], manifest.file))
            schema, way = _schema(version), ("spec", "versions", number, "schema", "openAPIV3Schema")
            losses = Losses(span, schema, way, manifest.positions.span, diagnostics)
            found.append((StructWriter(package, kind, names, losses, docstrings), manifest, version, whole))
            whole = False
    # All kinds get their names before the types in them.
    for writer, manifest, version, whole in found:
        lines = kind_markers(manifest.obj, version)
        if whole:
            lines += definition_markers(manifest.obj, partial(writer.losses.lose, writer.kind))
        writer.root(_schema(version), lines)
    return packages


def _schema(version: Mapping[str, Any]) -> Any:
    return (version.get("schema") or {}).get("openAPIV3Schema") or {}


def _package(group: str, version: str, file: str) -> Package:
    lines = [f" The kinds of {group} in version {version}.", "", f"+groupName={group}"]
    if not _VERSION.fullmatch(version):
        lines.append(f"+versionName={version}")
    comments = [CommentLine(text, Span(file, number)) for number, text in enumerate(lines, 1) if text]
    return Package(f"{group}/{version}", version, file, "", tuple(comments))


__all__ = ["convert_definitions"]
