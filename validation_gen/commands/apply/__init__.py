"""Predicts the result of `kubectl apply --dry-run=server` for manifests, without a server.

Definitions among the manifests define kinds for the manifests after them. `answers` has the records, and builds the
objects and patches that kubectl sends; `server_side` has server-side apply. `render` renders the results as text and
documents. This module neither reads nor prints.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from validation_gen.commands.apply.answers import (
    BAD_REQUEST,
    CONFLICT,
    Applied,
    Request,
    State,
    create,
    find_stale,
    has_last_applied,
    make_patch,
    merge,
    refuse_patch,
    undecodable,
    warn_of_deletion,
    warn_of_missing_annotation,
)
from validation_gen.commands.kind_lookup import recognise, refusal
from validation_gen.commands.schemes import Definitions, served
from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity
from validation_gen.kubernetes.crd.run import (
    KIND,
    VERSION,
    CheckedDefinition,
    check,
    check_definition,
    is_definition,
    locate,
)
from validation_gen.kubernetes.crd.schema_path import as_written
from validation_gen.kubernetes.manifests import Manifest
from validation_gen.kubernetes.objects import Kind, Outcome, Scheme, UnsupportedRequestError
from validation_gen.kubernetes.objects.admission import load
from validation_gen.kubernetes.objects.kinds import Served
from validation_gen.kubernetes.objects.metadata import drop_duplicate_owners
from validation_gen.kubernetes.objects.outcome import DecodingError
from validation_gen.runtime.gotext import go_value

if TYPE_CHECKING:
    from validation_gen.commands.apply.server_side import FieldManagers

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


def define(run: Run, manifest: Manifest, old: Any) -> Applied:
    """Returns the result of applying a definition. It is always validated like a new definition."""
    try:
        if manifest.obj["apiVersion"] != VERSION:  # kubectl finds no resource for it, before anything is decoded
            problems = [finding.message for finding in check(manifest.obj)]
            return Applied(manifest, State.REFUSED, problems=problems, by_client=True)
        if run.request.server_side:
            return _define_server_side(run, manifest, old)
        return _define(run, manifest, old)
    except RecursionError:
        return Applied(manifest, State.NOT_JUDGED, problems=["nested too deeply"])


def _define(run: Run, manifest: Manifest, old: Any) -> Applied:
    level = run.request.field_validation
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
    state = State.CREATED if old is None else State.CONFIGURED if patch else State.UNCHANGED
    found = _add_definition(
        run.known, replace(manifest, obj=sent), checked, [*before, *slips], state, update=old is not None
    )
    if run.managers is None or found.fails or state is State.UNCHANGED:
        return found
    return replace(found, sent=run.managers.track_definition(old, sent, run.request))


def _define_server_side(run: Run, manifest: Manifest, old: Any) -> Applied:
    assert run.managers is not None
    sent = run.managers.apply_definition(manifest, old, run.request)
    if isinstance(sent, Applied):
        return sent
    checked = check_definition({name: value for name, value in sent.items() if name != "status"})
    if checked.unknown:
        from validation_gen.commands.apply.server_side import refuse_undeclared  # noqa: PLC0415 - as below

        return refuse_undeclared(manifest, checked.unknown)
    update = old is not None
    return _add_definition(
        run.known, replace(manifest, obj=sent), checked, [], State.SERVER_SIDE_APPLIED, update=update
    )


def _add_definition(
    known: Definitions,
    manifest: Manifest,
    checked: CheckedDefinition,
    warnings: list[str],
    state: State,
    *,
    update: bool,
) -> Applied:
    """Adds the kind of a definition that is to be stored, unless it has errors."""
    if checked.errors:
        problems = [finding.message for finding in checked.errors]
        return Applied(manifest, State.REFUSED, problems=problems, warnings=warnings)
    own = [finding for finding in checked.findings if finding.message not in checked.unknown]
    located = (_at(Diagnostic(f.code, f.severity, f.message, manifest.positions.span(f.keys))) for f in own)
    warnings = [*warnings, *located]
    twice = known.add(manifest, checked.definition, update=update)
    if twice is not None:
        warnings.append(_at(twice))
    return Applied(manifest, state, warnings=warnings, sent=manifest.obj)


def _at(warning: Diagnostic) -> str:
    return f"{warning.span}: {warning.message}"


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


@dataclass(slots=True)
class Run:
    """The server's state in one run.

    Attributes:
        request: the settings of all requests.
        known: the kinds.
        olds: the stored objects.
        managers: the owners of fields, None if nothing needs them.
    """

    request: Request
    known: Definitions = field(default_factory=Definitions)
    olds: _Olds = field(default_factory=_Olds)
    managers: FieldManagers | None = None

    def __post_init__(self) -> None:
        if self.request.server_side or self.request.tracks:
            from validation_gen.commands.apply.server_side import FieldManagers  # noqa: PLC0415 - few runs need it

            self.managers = FieldManagers(self.known)


def apply_all(
    manifests: Iterable[Manifest], olds: Iterable[Manifest], request: Request, diagnostics: Diagnostics
) -> Iterator[Applied]:
    """Yields the result for each object, in order. Definitions among the old objects define kinds, too.

    Findings about old objects go to the diagnostics.
    """
    run = Run(request)
    for old in olds:
        if is_definition(old.obj):
            learn(run.known, old, diagnostics)
        run.olds.add(old.obj)
    for manifest in manifests:
        if is_definition(manifest.obj):
            yield define(run, manifest, run.olds.find(manifest.obj))
        else:
            yield _apply(run, manifest)


def _apply(run: Run, manifest: Manifest) -> Applied:
    obj, scheme, request = manifest.obj, run.known.scheme, run.request
    kind = scheme.find_kind(obj) if isinstance(obj, dict) else None
    version = kind.versions.get(manifest.identity[0].rpartition("/")[2]) if kind is not None else None
    if kind is None or version is None or not version.served:
        return _of_another_kind(scheme, manifest, request)
    if reason := _find_kubectl_refusal(manifest, kind.namespaced, request.namespace):
        return Applied(manifest, State.REFUSED, problems=[reason], by_client=True)
    obj = _set_namespace(obj, kind.namespaced, request.namespace)
    old = run.olds.find(obj)
    try:
        if request.server_side:
            assert run.managers is not None
            return run.managers.apply_object(manifest, obj, old, (kind, version), request)
        if old is None:
            return _create(run, manifest, obj, (kind, version))
        return _update(run, manifest, obj, old, (kind, version))
    except (UnsupportedRequestError, DecodingError) as reason:
        return Applied(manifest, State.NOT_JUDGED, problems=[str(reason)])
    except RecursionError:
        return Applied(manifest, State.NOT_JUDGED, problems=["nested too deeply"])


def _create(run: Run, manifest: Manifest, obj: dict[str, Any], about: tuple[Kind, Served]) -> Applied:
    kind, version = about
    sent = create(obj)
    outcome = run.known.scheme.admit(sent, field_validation=run.request.field_validation)
    if outcome.ok:
        _track(run, None, outcome, about)
        return Applied(manifest, State.CREATED, outcome, sent=sent)
    return Applied(manifest, State.REFUSED, outcome, undecodable(kind.kind, version.name, outcome.problems), sent=sent)


def _track(run: Run, old: dict[str, Any] | None, outcome: Outcome, about: tuple[Kind, Served]) -> None:
    """Adds the owners of fields to the stored object, if the output has them."""
    if run.managers is not None and outcome.object is not None:
        outcome.kept = run.managers.track(old, outcome.object, about, run.request)


def _update(
    run: Run, manifest: Manifest, obj: dict[str, Any], old: dict[str, Any], about: tuple[Kind, Served]
) -> Applied:
    """Updates an object that the server has: by a merge patch, or without a request if nothing has changed."""
    kind, version = about
    resource = kind.resource
    stored = load(kind, version, old)
    current: dict[str, Any] = as_written(stored.object)
    warnings = warn_of_missing_annotation(resource, manifest.name, known=has_last_applied(current))
    patch = make_patch(obj, current)
    if not patch:
        return Applied(
            manifest,
            State.UNCHANGED,
            Outcome(200, current),
            warnings=warnings + warn_of_deletion(current),
            sent=current,
        )
    sent = merge(current, patch)
    deduplicated = drop_duplicate_owners(sent["metadata"], patched=True)
    outcome = run.known.scheme.admit(sent, stored, field_validation=run.request.field_validation)
    if outcome.code == BAD_REQUEST:
        return refuse_patch(manifest, sent, sent, outcome.problems, warnings)
    warnings += deduplicated
    if stale := find_stale(obj, old):
        problem = f'Operation cannot be fulfilled on {resource} "{manifest.name}": {stale}'
        refusal = Outcome(CONFLICT, problems=[problem])
        return Applied(manifest, State.REFUSED, refusal, [problem], warnings, sent=sent)
    if outcome.object is None:
        return Applied(manifest, State.REFUSED, outcome, warnings=warnings, sent=sent)
    _track(run, current, outcome, about)
    return Applied(manifest, State.CONFIGURED, outcome, warnings=warnings + warn_of_deletion(outcome.object), sent=sent)


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
    if reason := _find_kubectl_refusal(manifest, recognised.built_in.namespaced, request.namespace):
        return Applied(manifest, State.REFUSED, problems=[reason], by_client=True)
    outcome = refusal(recognised.built_in, manifest.obj, field_validation=request.field_validation)
    if outcome is not None:
        problems = undecodable(name, api_version.rpartition("/")[2], outcome.problems)
        return Applied(manifest, State.REFUSED, outcome, problems)
    return Applied(manifest, State.NOT_JUDGED, problems=[str(recognised)], recognised=recognised)


# --- checks of kubectl before it sends a request ------------------------------------------------------------------


def _find_kubectl_refusal(manifest: Manifest, namespaced: bool, namespace: str) -> str:
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


def _set_namespace(obj: dict[str, Any], namespaced: bool, namespace: str) -> dict[str, Any]:
    """Returns the object with a namespace: its own, that of the request, or the default one."""
    metadata = obj.get("metadata")
    if not namespaced or not isinstance(metadata, dict):
        return obj
    return {**obj, "metadata": {**metadata, "namespace": metadata.get("namespace") or namespace or "default"}}


__all__ = ["Applied", "Request", "State", "apply_all"]
