"""What a definition says of a kind beside its schema: names, scope, subresources, columns, versions, as markers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from validation_gen.types.naming import plural_of
from validation_gen.uses.convert.defined.wording import arguments

_FORMATS = ("int32", "int64", "float", "double", "byte", "date", "date-time", "password")
_LABEL = re.compile(r"[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?")

Lose = Callable[[str, str], None]
_Object = Mapping[str, Any]


def kind_markers(obj: _Object, version: _Object, lose: Lose) -> list[str]:
    """The markers of a kind in one version of its definition. `lose` is told of what none says, and why."""
    return [
        *_resource(obj["spec"]["names"], obj["spec"].get("scope"), lose),
        *_version(version, lose),
        *_columns(version.get("additionalPrinterColumns") or (), lose),
        *_subresources(version.get("subresources") or {}),
    ]


def definition_markers(obj: _Object, lose: Lose) -> list[str]:
    """The markers about the definition as a whole, which can stand on any version."""
    metadata, found = obj.get("metadata") or {}, []
    for name in ("annotations", "labels"):
        for key, value in (metadata.get(name) or {}).items():
            found.append(f"+kubebuilder:metadata:{name}={_text(f'{key}={value}')}")
    if obj["spec"].get("preserveUnknownFields"):
        lose("preserveUnknownFields", "schemas say it of each object")
    return [*found, *_conversion(obj["spec"].get("conversion") or {}, lose)]


def _resource(names: _Object, scope: Any, lose: Lose) -> Iterator[str]:
    kind = names["kind"]
    wanted: dict[str, Any] = {"path": names.get("plural") if names.get("plural") != plural_of(kind) else None}
    wanted["shortName"] = names.get("shortNames")
    wanted["categories"] = names.get("categories")
    wanted["singular"] = names.get("singular") if names.get("singular") != kind.lower() else None
    for name, value in list(wanted.items()):
        if value and not all(map(_LABEL.fullmatch, [value] if isinstance(value, str) else value)):
            lose(name, "no marker has such a name")
            wanted[name] = None
    wanted["scope"] = "Cluster" if scope == "Cluster" else None
    if given := {name: value for name, value in wanted.items() if value}:
        yield f"+kubebuilder:resource:{_bare(given)}"
    if names.get("listKind") not in (None, "", f"{kind}List"):
        yield f"+validation-gen:resource:listKind={names['listKind']}"


def _bare(values: Mapping[str, Any]) -> str:
    """Arguments that are labels, which need no quotes."""
    return ",".join(f"{name}={value if isinstance(value, str) else ';'.join(value)}" for name, value in values.items())


def _version(version: _Object, lose: Lose) -> Iterator[str]:
    if version.get("storage"):
        yield "+kubebuilder:storageversion"
    if not version.get("served"):
        yield "+kubebuilder:unservedversion"
    if version.get("deprecated"):
        warning = version.get("deprecationWarning")
        given = f":{arguments({'warning': warning})}" if warning is not None else ""
        yield f"+kubebuilder:deprecatedversion{given}"
    for field in version.get("selectableFields") or ():
        path = field.get("jsonPath") or ""
        if path.startswith("."):
            yield f"+kubebuilder:selectablefield:{arguments({'JSONPath': path})}"
        else:
            lose("selectableFields", f"the path {path} does not begin with a dot")


def _columns(columns: Any, lose: Lose) -> Iterator[str]:
    for column in columns:
        path, name = column.get("jsonPath") or "", column.get("name") or ""
        if not path.startswith("."):
            lose(f"additionalPrinterColumns {name}", f"the path {path} does not begin with a dot")
            continue
        given = {"name": name, "type": column.get("type"), "JSONPath": path}
        if column.get("format"):
            if column["format"] in _FORMATS:
                given["format"] = column["format"]
            else:
                lose(f"additionalPrinterColumns {name}", f"there is no format {column['format']}")
        given |= {key: column[key] for key in ("description", "priority") if column.get(key)}
        yield f"+kubebuilder:printcolumn:{arguments(given)}"


def _subresources(subresources: _Object) -> Iterator[str]:
    if subresources.get("status") is not None:
        yield "+kubebuilder:subresource:status"
    if scale := subresources.get("scale"):
        given = {"specpath": scale.get("specReplicasPath"), "statuspath": scale.get("statusReplicasPath")}
        if scale.get("labelSelectorPath"):
            given["selectorpath"] = scale["labelSelectorPath"]
        yield f"+kubebuilder:subresource:scale:{arguments(given)}"


def _conversion(conversion: _Object, lose: Lose) -> Iterator[str]:
    if conversion.get("strategy") != "Webhook":
        return
    webhook = conversion.get("webhook") or {}
    client = webhook.get("clientConfig") or {}
    given: dict[str, Any] = {"strategy": "Webhook"}
    if client.get("url"):
        given["url"] = client["url"]
    if service := client.get("service"):
        given["service"] = f"{service.get('namespace')}/{service.get('name')}"
        given |= {key: service[key] for key in ("path", "port") if service.get(key)}
    if client.get("caBundle"):
        lose("caBundle", "a certificate belongs to one cluster")
    if versions := webhook.get("conversionReviewVersions"):
        given["reviewVersions"] = versions
    if "url" in given or "service" in given:
        yield f"+validation-gen:conversion:{arguments(given)}"
    else:
        lose("conversion", "the webhook has neither a url nor a service")


def _text(text: str) -> str:
    return arguments({"": text})[1:]
