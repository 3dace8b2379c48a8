"""Server-side apply, and the owners of fields after any write.

The library is `kubernetes/managedfields`; the resources of the local API server have the properties of a kind.
Source of kubectl's part: `pkg/cmd/apply/apply.go` of `k8s.io/kubectl`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from validation_gen.apiserver.definitions import DefinitionResource
from validation_gen.apiserver.resources import CustomResource
from validation_gen.commands.apply.answers import (
    BAD_REQUEST,
    INTERNAL,
    LAST_APPLIED,
    NOT_FOUND,
    Applied,
    Request,
    State,
    find_stale,
    warn_of_deletion,
)
from validation_gen.commands.schemes import Definitions
from validation_gen.kubernetes.crd.schema_path import as_decoded, as_written
from validation_gen.kubernetes.crd.stored_metadata import to_stored_metadata
from validation_gen.kubernetes.managedfields import (
    BadApplyError,
    ConflictError,
    FieldManager,
    FieldSet,
    TypeConflictError,
    conflict_message,
    keep_times,
)
from validation_gen.kubernetes.manifests import Manifest
from validation_gen.kubernetes.objects import Kind, Outcome
from validation_gen.kubernetes.objects.admission import Normalized, admit_decoded, load
from validation_gen.kubernetes.objects.kinds import Served
from validation_gen.kubernetes.objects.metadata import drop_duplicate_owners
from validation_gen.kubernetes.objects.outcome import DecodingError
from validation_gen.runtime.gotext import sort_members

#: Managers of kubectl: of server-side applies, of client-side ones, and of the annotation that the latter keep.
KUBECTL, CLIENT_SIDE, _ANNOTATION_MANAGER = "kubectl", "kubectl-client-side-apply", "kubectl-last-applied"
_REFUSALS = (BadApplyError, ConflictError, TypeConflictError)
#: Fields that a client cannot set when it creates an object.
_SYSTEM = (
    *("uid", "resourceVersion", "creationTimestamp", "generation", "selfLink"),
    *("deletionTimestamp", "deletionGracePeriodSeconds"),
)
#: Advice that kubectl prints below a conflict.
_ADVICE = """\
Please review the fields above--they currently have other managers. Here
are the ways you can resolve this warning:
* If you intend to manage all of these fields, please re-run the apply
  command with the `--force-conflicts` flag.
* If you do not intend to manage all of the fields, please edit your
  manifest to remove references to the fields that should keep their
  current managers.
* You may co-own fields by updating your manifest to match the existing
  value; in this case, you'll become the manager if the other manager(s)
  stop managing the field (remove it from their configuration).
See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts"""


@dataclass(slots=True)
class FieldManagers:
    """Field management of the kinds of a run.

    Attributes:
        definitions: the kinds.
    """

    definitions: Definitions
    _resources: dict[tuple[str, str], CustomResource] = field(default_factory=dict)
    _definition: DefinitionResource = field(default_factory=DefinitionResource)

    def _find(self, kind: Kind, version: Served, subresource: str = "") -> FieldManager:
        key = kind.group, kind.kind
        found = self._resources.get(key)
        if found is None or found.kind is not kind:
            definition = self.definitions.find(kind)
            spec = {**definition["spec"], "conversion": None}  # nothing here calls a webhook
            found = self._resources[key] = CustomResource({**definition, "spec": spec}, kind)
        return found.fields(version, subresource)

    # --- custom objects -----------------------------------------------------------------------------------------------

    def apply_object(
        self,
        manifest: Manifest,
        obj: dict[str, Any],
        old: dict[str, Any] | None,
        about: tuple[Kind, Served],
        request: Request,
    ) -> Applied:
        """Returns the result of a server-side apply of a custom object.

        Raises:
            DecodingError, UnsupportedRequestError: as `admission.admit_decoded`.
        """
        kind, version = about
        warnings = list(filter(None, (kind.deprecation(version),)))
        if request.subresource and not version.status:
            return _refuse(manifest, NOT_FOUND, "the server could not find the requested resource", warnings)
        if request.subresource and old is None:
            return _refuse(manifest, NOT_FOUND, f'{kind.resource} "{manifest.name}" not found', warnings)
        stored = None if old is None else load(kind, version, old)
        before = None if stored is None else _copy(stored.object)
        fields = self._find(kind, version, request.subresource)
        default, fields.default = fields.default, _same  # `-o diff` compares the object with and without defaults
        try:
            sent = fields.apply(before, _to_config(obj), request.manager, request.now, force=request.force)
        except _REFUSALS as problem:
            return _refuse_apply(manifest, problem, warnings)
        finally:
            fields.default = default
        meta = to_stored_metadata(sent.get("metadata") or {}, lenient=True)
        unfulfilled = f'Operation cannot be fulfilled on {kind.resource} "{manifest.name}": '
        if old is None:
            if uid := meta.get("uid"):
                text = f"uid mismatch: the provided object specified uid {uid}, and no existing object was found"
                return _refuse_conflict(manifest, unfulfilled + text, warnings)
            meta = {name: value for name, value in meta.items() if name not in _SYSTEM}
        elif stale := find_stale(obj, old):
            return _refuse_conflict(manifest, unfulfilled + stale, warnings)
        warnings += drop_duplicate_owners(meta, patched=True)
        sent = {**sent, "metadata": meta}
        outcome = admit_decoded(kind, version, Normalized(default(sent)), stored, subresource=request.subresource)
        found = outcome.object
        if found is None:
            return Applied(manifest, State.REFUSED, outcome, warnings=warnings, sent=sent)
        if before is not None:
            keep_times(found, before)
            warnings += _warn_of_migration(fields, before, found, request)
        warnings += warn_of_deletion(found)
        return Applied(manifest, State.SERVER_SIDE_APPLIED, outcome, warnings=warnings, sent=sent)

    def track(
        self, old: dict[str, Any] | None, new: dict[str, Any], about: tuple[Kind, Served], request: Request
    ) -> dict[str, Any]:
        """Returns an object that a client has created or patched, with its managed fields."""
        return _track(self._find(*about), old, new, request)

    # --- definitions --------------------------------------------------------------------------------------------------

    def apply_definition(self, manifest: Manifest, old: Any, request: Request) -> dict[str, Any] | Applied:
        """Returns a definition after a server-side apply, before it is checked, or the refusal."""
        name = f'customresourcedefinitions.apiextensions.k8s.io "{manifest.name}"'
        if request.subresource and old is None:
            return _refuse(manifest, NOT_FOUND, f"{name} not found", [])
        fields = self._definition.fields(self._definition.versions["v1"], request.subresource)
        try:
            before = None if old is None else self._decode(old)
            found = fields.apply(before, _to_config(manifest.obj), request.manager, request.now, force=request.force)
        except DecodingError as problem:
            return Applied(manifest, State.NOT_JUDGED, problems=[f"the old definition cannot be read: {problem}"])
        except _REFUSALS as problem:
            return _refuse_apply(manifest, problem, [])
        if before is None:
            meta = {name: value for name, value in found["metadata"].items() if name not in _SYSTEM}
            return {**found, "metadata": meta}
        if stale := find_stale(manifest.obj, old):
            return _refuse_conflict(manifest, f"Operation cannot be fulfilled on {name}: {stale}", [])
        keep_times(found, before)
        return found

    def track_definition(self, old: Any, new: dict[str, Any], request: Request) -> dict[str, Any]:
        """Returns a definition that a client has created or patched, with its managed fields."""
        fields = self._definition.fields(self._definition.versions["v1"], "")
        try:
            before, after = (None if each is None else self._decode(each) for each in (old, new))
        except DecodingError:
            return new
        assert after is not None
        meta = _track(fields, before, after, request)["metadata"]
        entries = {name: meta[name] for name in ("managedFields",) if name in meta}
        return {**new, "metadata": {**new["metadata"], **entries}}

    def _decode(self, definition: Any) -> dict[str, Any]:
        """Returns a definition in the server's form.

        Raises:
            DecodingError: it cannot be decoded.
        """
        return self._definition.decode(self._definition.versions["v1"], definition, "Ignore", None)[0].object


def _track(fields: FieldManager, old: dict[str, Any] | None, new: dict[str, Any], request: Request) -> dict[str, Any]:
    found = fields.update(None if old is None else _copy(old), new, request.manager, request.now)
    if old is not None:
        keep_times(found, old)
    return found


def _copy(obj: dict[str, Any]) -> dict[str, Any]:
    """Returns a copy with a copy of the metadata, which validation changes."""
    return {**obj, "metadata": dict(obj["metadata"])}


def _same(obj: dict[str, Any]) -> dict[str, Any]:
    return obj


def _to_config(obj: dict[str, Any]) -> dict[str, Any]:
    """Returns a manifest as kubectl sends it: nulls stay, and names are in order."""
    found: dict[str, Any] = as_decoded(as_written(as_decoded(sort_members(obj))))
    return found


# --- refusals and warnings --------------------------------------------------------------------------------------------


def refuse_undeclared(manifest: Manifest, unknown: Sequence[str]) -> Applied:
    """Returns the refusal of an applied definition with fields that no definition has."""
    version, kind, _, name = manifest.identity
    paths = [each.removeprefix('unknown field "').removesuffix('"') for each in unknown]
    texts = [f".{path}: field not declared in schema" for path in paths]
    problem = texts[0] if len(texts) == 1 else "\n".join(["errors:", *(f"  {text}" for text in texts)])
    lead = f"failed to create typed patch object (/{name}; {version}, Kind={kind})"
    return _refuse(manifest, INTERNAL, f"{lead}: {problem}", [])


def _refuse(manifest: Manifest, code: int, problem: str, warnings: list[str]) -> Applied:
    return Applied(manifest, State.REFUSED, Outcome(code, problems=[problem]), problem.split("\n"), warnings)


def _refuse_apply(manifest: Manifest, problem: Exception, warnings: list[str]) -> Applied:
    if isinstance(problem, ConflictError):
        return _refuse_conflict(manifest, conflict_message(problem), warnings)
    return _refuse(manifest, BAD_REQUEST if isinstance(problem, BadApplyError) else INTERNAL, str(problem), warnings)


def _refuse_conflict(manifest: Manifest, text: str, warnings: list[str]) -> Applied:
    """Returns the result of a conflict, with kubectl's text and advice instead of the server's."""
    lines = f"{text}\n{_ADVICE}".split("\n")
    return Applied(manifest, State.REFUSED, problems=lines, warnings=warnings, by_client=True)


def _warn_of_migration(
    fields: FieldManager, before: dict[str, Any], found: dict[str, Any], request: Request
) -> list[str]:
    """Returns the warning of kubectl if a dry run cannot save the annotation of client-side applies.

    kubectl applies the annotation of the answer to the stored object under a manager of its own. A dry run has not
    stored the annotation before, so that it may be in conflict.
    """
    meta = found["metadata"]
    text = (meta.get("annotations") or {}).get(LAST_APPLIED)
    path = ("f:metadata", "f:annotations", f"f:{LAST_APPLIED}")
    if text is None or request.manager != KUBECTL:
        return []
    for entry in meta.get("managedFields") or ():
        if entry.get("operation") == "Apply" and FieldSet.from_json(entry.get("fieldsV1") or {}).has(path):
            return []
    place = {name: meta[name] for name in ("name", "namespace") if name in meta}
    config = {
        "apiVersion": found["apiVersion"],
        "kind": found["kind"],
        "metadata": {**place, "annotations": {LAST_APPLIED: text}},
    }
    try:
        fields.apply(before, config, _ANNOTATION_MANAGER, request.now)
    except ConflictError as problem:
        lead = (
            f"failed to migrate {LAST_APPLIED} for Server-Side Apply. This is non-fatal and will be retried next time"
        )
        return [f"{lead} you apply. Error: {conflict_message(problem)}"]
    except (BadApplyError, TypeConflictError):
        pass
    return []
