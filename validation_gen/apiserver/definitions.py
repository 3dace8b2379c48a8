"""CustomResourceDefinitions as a resource: decoding, defaults, validation of creates and updates.

Sources of the behaviour: `pkg/registry/customresourcedefinition` and `pkg/apis/apiextensions/validation` of
`k8s.io/apiextensions-apiserver`.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from validation_gen.apiserver.gojson import FindingError, without_empty
from validation_gen.apiserver.interface import BuiltinVersion, Names, Resource
from validation_gen.apiserver.tables import Columns
from validation_gen.diagnostics import Severity
from validation_gen.kubernetes.crd.decode import mistakes
from validation_gen.kubernetes.crd.gotypes import DEFINITION
from validation_gen.kubernetes.crd.run import check_definition
from validation_gen.kubernetes.crd.schema_path import SchemaPath
from validation_gen.kubernetes.crd.stored_metadata import to_stored_metadata
from validation_gen.kubernetes.managedfields import FieldManager, FieldSet, make_type
from validation_gen.kubernetes.objects import Duplicates, Outcome, metadata
from validation_gen.kubernetes.objects.admission import Normalized
from validation_gen.kubernetes.objects.outcome import DecodingError
from validation_gen.runtime import texts
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.gotext import go_quote
from validation_gen.runtime.wire import identical

GROUP, PLURAL, KIND = "apiextensions.k8s.io", "customresourcedefinitions", "CustomResourceDefinition"
PREFIX = f"/{GROUP}/{PLURAL}/"
CLEANUP = "customresourcecleanup.apiextensions.k8s.io"
#: The status of a definition that no controller has seen, with the fields that Go writes even if they are empty.
_NEW_STATUS = {"conditions": None, "acceptedNames": {"plural": "", "kind": ""}, "storedVersions": None}
_EMPTY = {
    "apiVersion": f"{GROUP}/v1",
    "kind": KIND,
    "metadata": {},
    "spec": {"group": "", "names": {"plural": "", "kind": ""}, "scope": "", "versions": None},
    "status": _NEW_STATUS,
}
_TEXT, _TEXTS = {"type": "string"}, {"type": "array", "items": {"type": "string"}}
_NAMES = {
    "type": "object",
    "properties": {
        **dict.fromkeys(("plural", "singular", "kind", "listKind"), _TEXT),
        "shortNames": _TEXTS,
        "categories": _TEXTS,
    },
}
_ANYTHING = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
#: The parts of the schema of definitions that matter for merging.
_SCHEMA = {
    "type": "object",
    "properties": {
        "spec": {
            "type": "object",
            "properties": {
                "group": _TEXT,
                "scope": _TEXT,
                "preserveUnknownFields": {"type": "boolean"},
                "names": _NAMES,
                "conversion": _ANYTHING,
                "versions": {"type": "array", "items": _ANYTHING},
            },
        },
        "status": {
            "type": "object",
            "properties": {
                "acceptedNames": _NAMES,
                "storedVersions": _TEXTS,
                "observedGeneration": {"type": "integer"},
                "conditions": {
                    "type": "array",
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["type"],
                    "items": _ANYTHING,
                },
            },
        },
    },
}


class DefinitionResource(Resource):
    """The resource of CustomResourceDefinitions."""

    group = GROUP
    namespaced = False
    names = Names(PLURAL, "customresourcedefinition", KIND, f"{KIND}List", ("crd", "crds"), ("api-extensions",))

    #: Kubernetes stores definitions in this version.
    hashed_version = "v1beta1"

    def __init__(self) -> None:
        self._version = BuiltinVersion("v1", f"{GROUP}/v1", status=True)
        self._types = {self._version.api_version: make_type(_SCHEMA)}
        created = {"name": "Created At", "type": "date", "jsonPath": ".metadata.creationTimestamp", "cell": "string"}
        self._columns = Columns([created], described=True)

    @property
    def versions(self) -> Mapping[str, BuiltinVersion]:
        return {"v1": self._version}

    @property
    def storage_version(self) -> str:
        return self._version.api_version

    def schema(self, version: BuiltinVersion) -> Mapping[str, Any]:
        return _SCHEMA

    def columns(self, version: str) -> Columns:
        return self._columns

    # --- objects ------------------------------------------------------------------------------------------------------

    def decode(
        self, version: BuiltinVersion, obj: Any, level: str, duplicates: Duplicates | None
    ) -> tuple[Normalized, list[str]]:
        found, slips = copy.deepcopy(obj), []
        if duplicates and level != "Ignore":
            slips += [f'duplicate field "{path}"' for path in duplicates.paths(obj)]
        for mistake in mistakes(obj, DEFINITION, SchemaPath("")):
            if mistake.unknown is None:
                raise DecodingError(mistake.text)
            _drop(found, mistake.place.keys, mistake.unknown)
            if level != "Ignore" and not mistake.hidden:
                slips.append(mistake.in_words)
        if found["kind"] != KIND:
            raise DecodingError(
                f'no kind {go_quote(found["kind"])} is registered for version "{GROUP}/v1" in scheme '
                '"k8s.io/apiextensions-apiserver/pkg/apiserver/apiserver.go:55"'
            )
        found["metadata"] = to_stored_metadata(found.get("metadata") or {})
        for each in (found.get("spec") or {}).get("versions") or ():
            if isinstance(each.get("schema"), dict) and "openAPIV3Schema" in each["schema"]:
                each["schema"]["openAPIV3Schema"] = without_empty(each["schema"]["openAPIV3Schema"])
        return Normalized(apply_defaults(found), is_valid=True), slips

    def load(self, version: BuiltinVersion, stored: dict[str, Any]) -> Normalized:
        return Normalized({**stored, "apiVersion": version.api_version, "kind": KIND}, is_valid=True)

    def deleting(self, stored: dict[str, Any], now: str) -> dict[str, Any]:
        meta = stored["metadata"]
        finalizers = meta.get("finalizers") or []
        if CLEANUP in finalizers or "deletionTimestamp" in meta:
            return stored
        meta = {**meta, "finalizers": [*finalizers, CLEANUP], "deletionTimestamp": now}
        message = "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon"
        condition = make_condition(
            "Terminating", holds=True, stamp=now, reason="InstanceDeletionPending", message=message
        )
        return with_conditions({**stored, "metadata": meta}, condition)

    def admit(self, version: BuiltinVersion, sent: Normalized, old: Normalized | None, subresource: str) -> Outcome:
        obj = sent.object
        meta = obj["metadata"]
        meta.pop("namespace", None)
        if old is None:
            obj["status"] = _find_stored_versions(obj["spec"], copy.deepcopy(_NEW_STATUS))
            errors, warnings = _check(obj)
            return Outcome(422, errors=errors) if errors else Outcome(201, obj, warnings=warnings)
        before = old.object
        if subresource == "status":
            obj["spec"] = before["spec"]
            errors = _update_errors(obj, before)
            return Outcome(422, errors=errors) if errors else Outcome(200, _restore_metadata(obj, before))
        obj["status"] = _find_stored_versions(obj["spec"], copy.deepcopy(before.get("status") or _NEW_STATUS))
        changed = not identical(obj["spec"], before["spec"])
        meta["generation"] = (before["metadata"].get("generation") or 0) + changed
        errors = _update_errors(obj, before)
        found, warnings = _check(obj) if changed else ([], [])
        errors += [error for error in found if not error.field.startswith(("status.", "metadata.name"))]
        errors += _immutable_errors(obj, before) + _check_stored(obj)
        if errors:
            return Outcome(422, errors=errors)
        _, known = _check(before) if warnings else ([], [])
        return Outcome(200, _restore_metadata(obj, before), warnings=[each for each in warnings if each not in known])

    def fields(self, version: BuiltinVersion, subresource: str) -> FieldManager:
        ignored = FieldSet.from_paths(("f:spec",) if subresource == "status" else ("f:status",))
        return FieldManager(
            (version.api_version, KIND),
            self._types,
            lambda obj, api_version: {**obj, "apiVersion": api_version},
            ignored={version.api_version: ignored},
            subresource=subresource,
            default=apply_defaults,
            empty=_EMPTY,
        )


def _drop(obj: Any, keys: tuple[str | int, ...], name: str) -> None:
    """Removes an unknown field."""
    for key in keys[:-1]:
        obj = obj[key]
    if isinstance(obj, dict):
        obj.pop(keys[-1] if keys else name, None)


def apply_defaults(obj: dict[str, Any]) -> dict[str, Any]:
    """Returns a definition with its defaults."""
    spec = {**(obj.get("spec") or {})}
    names = {**(spec.get("names") or {})}
    kind = names.get("kind") or ""
    if not names.get("singular") and kind:
        names["singular"] = kind.lower()
    if not names.get("listKind") and kind:
        names["listKind"] = f"{kind}List"
    spec["names"] = {"plural": "", "kind": "", **names}
    if spec.get("conversion") is None:
        spec["conversion"] = {"strategy": "None"}
    service = ((spec["conversion"].get("webhook") or {}).get("clientConfig") or {}).get("service")
    if service is not None:
        service.setdefault("port", 443)
    status = {**_NEW_STATUS, **(obj.get("status") or {})}
    if not status["storedVersions"]:
        stored = [each["name"] for each in spec.get("versions") or () if each.get("storage")]
        status["storedVersions"] = stored[:1] or None
    return {**obj, "spec": {"group": "", "scope": "", "versions": None, **spec}, "status": status}


def _find_stored_versions(spec: Mapping[str, Any], status: dict[str, Any]) -> dict[str, Any]:
    stored = status.get("storedVersions") or []
    for version in spec.get("versions") or ():
        if version.get("storage"):
            if version["name"] not in stored:
                stored = [*stored, version["name"]]
            break
    status["storedVersions"] = stored or None
    return status


def _restore_metadata(obj: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Restores the metadata that an update cannot change, in place."""
    meta, known = obj["metadata"], before["metadata"]
    for name in ("creationTimestamp", "uid", "deletionTimestamp", "deletionGracePeriodSeconds"):
        if name in known:
            meta[name] = known[name]
    meta.setdefault("generation", known.get("generation", 1))
    return obj


def _check(obj: dict[str, Any]) -> tuple[list[FieldError], list[str]]:
    """Returns the errors of a definition, and the server's warnings."""
    plain = {name: value for name, value in obj.items() if name != "status"}
    checked = check_definition(plain)
    errors: list[FieldError] = [FindingError(finding, plain) for finding in checked.errors]
    shown = ("unrecognized format", "x-kubernetes-list-type: set for items")
    warnings = [
        finding.message
        for finding in checked.findings
        if finding.severity is Severity.WARNING and finding.message.startswith(shown)
    ]
    return errors, warnings


def _update_errors(obj: dict[str, Any], before: dict[str, Any]) -> list[FieldError]:
    new = {**obj["metadata"]}
    for name in ("creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"):
        if name in before["metadata"]:
            new[name] = before["metadata"][name]
    return list(metadata.update_errors(new, before["metadata"]))


def _immutable_errors(obj: dict[str, Any], before: dict[str, Any]) -> list[FieldError]:
    spec, old = obj["spec"], before["spec"]
    pairs = []
    if condition_is_true(before, "Established"):
        pairs += [("spec.scope", spec.get("scope"), old.get("scope"))]
        pairs += [("spec.names.kind", spec["names"].get("kind"), old["names"].get("kind"))]
    pairs += [("spec.group", spec.get("group"), old.get("group"))]
    pairs += [("spec.names.plural", spec["names"].get("plural"), old["names"].get("plural"))]
    return [FieldError.invalid(path, new, texts.IMMUTABLE) for path, new, known in pairs if new != known]


def _check_stored(obj: dict[str, Any]) -> list[FieldError]:
    stored = obj["status"].get("storedVersions") or []
    names = [version["name"] for version in obj["spec"].get("versions") or ()]
    missing = [
        FieldError.invalid("status.storedVersions", stored, f"must have the storage version {version['name']}")
        for version in obj["spec"].get("versions") or ()
        if version.get("storage") and version["name"] not in stored
    ]
    return missing + [
        FieldError.invalid(
            f"status.storedVersions[{index}]",
            name,
            f"missing from spec.versions; {name} was previously a storage version, and must remain in spec.versions "
            f"until a storage migration ensures no data remains persisted in {name} and removes {name} from "
            "status.storedVersions",
        )
        for index, name in enumerate(stored)
        if name not in names
    ]


# --- conditions -------------------------------------------------------------------------------------------------------


def make_condition(kind: str, *, holds: bool, stamp: str, reason: str, message: str) -> dict[str, Any]:
    """Returns a condition; `stamp` is the time of its last change."""
    return {
        "type": kind,
        "status": "True" if holds else "False",
        "lastTransitionTime": stamp,
        "reason": reason,
        "message": message,
    }


def find_condition(obj: Mapping[str, Any], kind: str) -> dict[str, Any] | None:
    """Returns a condition of an object, None if it has none of this type."""
    for condition in (obj.get("status") or {}).get("conditions") or ():
        if condition.get("type") == kind:
            found: dict[str, Any] = condition
            return found
    return None


def condition_is_true(obj: Mapping[str, Any], kind: str) -> bool:
    """Returns whether a condition of an object holds."""
    condition = find_condition(obj, kind)
    return condition is not None and condition.get("status") == "True"


def with_conditions(obj: Mapping[str, Any], *conditions: dict[str, Any]) -> dict[str, Any]:
    """Returns an object with some conditions replaced by type. A condition with an unchanged status keeps its time."""
    status = dict(obj.get("status") or {})
    found = list(status.get("conditions") or [])
    for condition in conditions:
        for index, each in enumerate(found):
            if each.get("type") == condition["type"]:
                known = each.get("lastTransitionTime") if each.get("status") == condition["status"] else None
                found[index] = {**condition, "lastTransitionTime": known or condition["lastTransitionTime"]}
                break
        else:
            found.append(condition)
    status["conditions"] = found
    return {**obj, "status": status}
