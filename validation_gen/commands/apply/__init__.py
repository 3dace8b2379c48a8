"""Predicts the result of `kubectl apply --dry-run=server` for manifests, without a server.

Definitions among the manifests define kinds for the manifests after them. `answers` has the records, and builds the
objects and patches that kubectl sends. `render` renders the results as text and documents. This module neither reads
nor prints.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from validation_gen.commands.apply.answers import (
    BAD_REQUEST,
    CONFLICT,
    Applied,
    Request,
    State,
    create,
    has_last_applied,
    make_patch,
    merge,
    refuse_patch,
    undecodable,
    warn_of_missing_annotation,
)
from validation_gen.commands.kind_lookup import recognise, refusal
from validation_gen.commands.schemes import Definitions, served
from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity
from validation_gen.kubernetes.crd.run import KIND, VERSION, check, check_definition, is_definition, locate
from validation_gen.kubernetes.crd.schema_path import as_written
from validation_gen.kubernetes.manifests import Manifest
from validation_gen.kubernetes.objects import Kind, Outcome, Scheme, UnsupportedRequestError
from validation_gen.kubernetes.objects.admission import load
from validation_gen.kubernetes.objects.kinds import Served
from validation_gen.kubernetes.objects.metadata import drop_duplicate_owners
from validation_gen.kubernetes.objects.outcome import DecodingError
from validation_gen.runtime.gotext import go_value

#: Code of definitions that are too large or too deep.
_TOO_LARGE = "VG509"


def learn(known: Definitions, old: Manifest, found: Diagnostics) -> None:
    """Adds the kind of a definition that the server has. Problems of the definition become warnings."""
    try:
        checked = check_definition(old.obj)
        for problem in locate(checked.findings, old.positions):
            lead = "the definition defines no kind here: " if problem.severity is Severity.ERROR else ""
            found.add(replace(problem, severity=Severity.WARNING, message=f"{lead}{problem.message}"))
        if not checked.errors and (twice := known.add(old, checked.definition)) is not None:
            found.add(twice)
    except RecursionError:
        place = old.positions.span(("spec",))
        found.warning(_TOO_LARGE, "the definition defines no kind here: it is nested too deeply", place, "flatten it")


def define(known: Definitions, manifest: Manifest, old: Any, level: str) -> Applied:
    """Returns the result of applying a definition. It is validated as a new one, even if there is an old one."""
    try:
        return _define(known, manifest, old, level)
    except RecursionError:
        return Applied(manifest, State.NOT_JUDGED, problems=["nested too deeply"])


def _define(known: Definitions, manifest: Manifest, old: Any, level: str) -> Applied:
    if manifest.obj["apiVersion"] != VERSION:  # kubectl finds no resource for it, before anything is decoded
        problems = [finding.message for finding in check(manifest.obj)]
        return Applied(manifest, State.REFUSED, problems=problems, by_client=True)
    patch: dict[str, Any] = {} if old is None else make_patch(manifest.obj, old)
    sent = create(manifest.obj) if old is None else merge(old, patch)
    resource = "customresourcedefinitions"
    before = [] if old is None else warn_of_missing_annotation(resource, manifest.name, known=has_last_applied(old))
    checked = check_definition(sent)
    slips = [] if level == "Ignore" else checked.unknown
    if slips and level == "Strict" and patch:
        return refuse_patch(manifest, sent, go_value(patch), slips, before)
    if slips and level == "Strict" and old is None:
        version = str(sent["apiVersion"]).rpartition("/")[2]
        return Applied(manifest, State.REFUSED, Outcome(400, problems=slips), undecodable(KIND, version, slips))
    if checked.errors:
        problems = [finding.message for finding in checked.errors]
        return Applied(manifest, State.REFUSED, problems=problems, warnings=[*before, *slips])
    own = [finding for finding in checked.findings if finding.message not in checked.unknown]
    located = (_at(Diagnostic(f.code, f.severity, f.message, manifest.positions.span(f.keys))) for f in own)
    warnings = [*before, *slips, *located]
    twice = known.add(replace(manifest, obj=sent), checked.definition, update=old is not None)
    if twice is not None:
        warnings.append(_at(twice))
    state = State.CREATED if old is None else State.CONFIGURED if patch else State.UNCHANGED
    return Applied(manifest, state, warnings=warnings, sent=sent)


def _at(warning: Diagnostic) -> str:
    return f"{warning.span}: {warning.message}"


#: The server's message for an update that is not based on the newest state.
_STALE = "the object has been modified; please apply your changes to the latest version and try again"


@dataclass(slots=True)
class _Olds:
    """Old objects by group, kind, namespace and name; the version is not part of the key."""

    objects: dict[tuple[str, str, str, str], Any] = field(default_factory=dict)

    def add(self, obj: Any) -> None:
        if isinstance(obj, dict):
            self.objects[_identity(obj)] = obj

    def find(self, obj: Mapping[str, Any]) -> Any:
        return self.objects.get(_identity(obj))


def _identity(obj: Mapping[str, Any]) -> tuple[str, str, str, str]:
    metadata = obj.get("metadata")
    meta = metadata if isinstance(metadata, dict) else {}
    version = str(obj.get("apiVersion") or "")
    group = version.rpartition("/")[0]
    return group, str(obj.get("kind")), str(meta.get("namespace") or "default"), str(meta.get("name"))


def apply_all(
    manifests: Iterable[Manifest], olds: Iterable[Manifest], request: Request, diagnostics: Diagnostics
) -> Iterator[Applied]:
    """Yields the result for each object, in order. Definitions among the old objects define kinds, too.

    Findings about old objects go to the diagnostics.
    """
    known, objects = Definitions(), _Olds()
    for old in olds:
        if is_definition(old.obj):
            learn(known, old, diagnostics)
        objects.add(old.obj)
    for manifest in manifests:
        if is_definition(manifest.obj):
            yield define(known, manifest, objects.find(manifest.obj), request.field_validation)
        else:
            yield _apply(known, manifest, objects, request)


def _apply(definitions: Definitions, manifest: Manifest, known: _Olds, request: Request) -> Applied:
    obj, scheme = manifest.obj, definitions.scheme
    kind = scheme.find_kind(obj) if isinstance(obj, dict) else None
    version = kind.versions.get(manifest.identity[0].rpartition("/")[2]) if kind is not None else None
    if kind is None or version is None or not version.served:
        return _of_another_kind(scheme, manifest, request)
    if reason := _refused_by_kubectl(manifest, kind.namespaced, request.namespace):
        return Applied(manifest, State.REFUSED, problems=[reason], by_client=True)
    obj = _placed(obj, kind.namespaced, request.namespace)
    old = known.find(obj)
    try:
        if old is not None:
            return _update(definitions, manifest, obj, old, (kind, version), request)
        sent = create(obj)
        outcome = scheme.admit(sent, field_validation=request.field_validation)
    except (UnsupportedRequestError, DecodingError) as reason:
        return Applied(manifest, State.NOT_JUDGED, problems=[str(reason)])
    except RecursionError:
        return Applied(manifest, State.NOT_JUDGED, problems=["nested too deeply"])
    if outcome.ok:
        return Applied(manifest, State.CREATED, outcome, sent=sent)
    return Applied(manifest, State.REFUSED, outcome, undecodable(kind.kind, version.name, outcome.problems), sent=sent)


def _update(
    definitions: Definitions,
    manifest: Manifest,
    obj: dict[str, Any],
    old: dict[str, Any],
    about: tuple[Kind, Served],
    request: Request,
) -> Applied:
    """Updates an object that the server has: by a merge patch, or without a request if nothing has changed."""
    kind, version = about
    resource = definitions.resource(kind)
    stored = load(kind, version, old)
    current: dict[str, Any] = as_written(stored.object)
    warnings = warn_of_missing_annotation(resource, manifest.name, known=has_last_applied(current))
    patch = make_patch(obj, current)
    if not patch:
        return Applied(
            manifest, State.UNCHANGED, Outcome(200, current), warnings=warnings + _deletion(current), sent=current
        )
    sent = merge(current, patch)
    deduplicated = drop_duplicate_owners(sent["metadata"], patched=True)
    outcome = definitions.scheme.admit(sent, stored, field_validation=request.field_validation)
    if outcome.code == BAD_REQUEST:
        return refuse_patch(manifest, sent, sent, outcome.problems, warnings)
    warnings += deduplicated
    if _is_stale(obj, old):
        problem = f'Operation cannot be fulfilled on {resource} "{manifest.name}": {_STALE}'
        refusal = Outcome(CONFLICT, problems=[problem])
        return Applied(manifest, State.REFUSED, refusal, [problem], warnings, sent=sent)
    if outcome.object is None:
        return Applied(manifest, State.REFUSED, outcome, warnings=warnings, sent=sent)
    return Applied(manifest, State.CONFIGURED, outcome, warnings=warnings + _deletion(outcome.object), sent=sent)


def _deletion(obj: Mapping[str, Any]) -> list[str]:
    """Returns the warning of kubectl about an object that is being deleted."""
    metadata = obj["metadata"]
    if not metadata.get("deletionTimestamp"):
        return []
    return [f"Detected changes to resource {metadata['name']} which is currently being deleted."]


def _of_another_kind(scheme: Scheme, manifest: Manifest, request: Request) -> Applied:
    """Returns the result for an object whose kind or version is not defined here."""
    api_version, name, _, _ = manifest.identity
    if not api_version or not name:
        problem = "the object has no apiVersion and no kind"
        return Applied(manifest, State.NOT_JUDGED, problems=[problem])
    recognised = recognise(api_version, name, served(scheme))
    if recognised.built_in is None:
        problem = f'no matches for kind "{name}" in version "{api_version}"'
        problem += f"; {recognised.hint}" if recognised.hint else ""
        return Applied(manifest, State.NOT_JUDGED, problems=[problem], recognised=recognised)
    if reason := _refused_by_kubectl(manifest, recognised.built_in.namespaced, request.namespace):
        return Applied(manifest, State.REFUSED, problems=[reason], by_client=True)
    outcome = refusal(recognised.built_in, manifest.obj, field_validation=request.field_validation)
    if outcome is not None:
        problems = undecodable(name, api_version.rpartition("/")[2], outcome.problems)
        return Applied(manifest, State.REFUSED, outcome, problems)
    return Applied(manifest, State.NOT_JUDGED, problems=[str(recognised)], recognised=recognised)


def _is_stale(obj: dict[str, Any], old: dict[str, Any]) -> bool:
    """Returns whether a manifest names another resource version than the server's. Without one, any version matches."""
    sent, current = (_resource_version(each.get("metadata")) for each in (obj, old))
    return bool(sent and current) and sent != current


def _resource_version(metadata: Any) -> Any:
    return metadata.get("resourceVersion") if isinstance(metadata, dict) else None


# --- checks of kubectl before it sends a request ------------------------------------------------------------------


def _refused_by_kubectl(manifest: Manifest, namespaced: bool, namespace: str) -> str:
    """Returns the reason why kubectl does not send an object; empty if it sends it."""
    metadata = manifest.obj.get("metadata")
    generated = metadata.get("generateName") if isinstance(metadata, dict) else None
    if generated and isinstance(generated, str) and not manifest.name:
        return f"from {generated}: cannot use generate name with apply"
    own = manifest.identity[2]
    if namespaced and namespace and own and own != namespace:
        return (
            f'the namespace from the provided object "{own}" does not match the namespace "{namespace}". You must pass '
            f"'--namespace={own}' to perform this operation."
        )
    return ""


def _placed(obj: dict[str, Any], namespaced: bool, namespace: str) -> dict[str, Any]:
    """Returns the object with a namespace: its own, that of the request, or the default one."""
    metadata = obj.get("metadata")
    if not namespaced or not isinstance(metadata, dict):
        return obj
    return {**obj, "metadata": {**metadata, "namespace": metadata.get("namespace") or namespace or "default"}}


__all__ = ["Applied", "Request", "State", "apply_all"]
