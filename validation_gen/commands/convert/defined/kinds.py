"""Markers for the properties of a kind beside its schema: names, scope, subresources, columns, versions.

The API server has checked that names are labels and that paths begin with a dot, as markers require.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from validation_gen.commands.convert.defined.wording import arguments
from validation_gen.types.naming import plural_of

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
        "path": [plural] if plural != plural_of(kind) else [],
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
