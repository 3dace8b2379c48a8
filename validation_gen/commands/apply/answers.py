"""Results of applied manifests, and the objects that kubectl sends: a new object, or a merge patch of the old one.

Sources of the behaviour: `pkg/cmd/apply` and `pkg/util/apply.go` of `k8s.io/kubectl`, `pkg/util/jsonmergepatch` of
`k8s.io/apimachinery`, and `merge.go` of `gopkg.in/evanphx/json-patch.v4`, with which the server applies the patch.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from validation_gen.commands.kind_lookup import Recognised
from validation_gen.kubernetes.crd.schema_path import as_decoded, as_written
from validation_gen.kubernetes.manifests import Manifest
from validation_gen.kubernetes.objects import Outcome, read_json
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.gotext import go_json
from validation_gen.runtime.wire import identical

LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


def annotate(obj: dict[str, Any]) -> dict[str, Any]:
    """Returns a manifest with the last-applied annotation. The next `apply` reads from it which fields to remove."""
    obj = as_decoded(as_written(as_decoded(obj)))
    metadata = obj.get("metadata")
    if not isinstance(metadata, dict):
        return obj
    notes = metadata.get("annotations") or {}
    if not isinstance(notes, dict):
        return obj
    notes = {name: "" if value is None else value for name, value in notes.items() if name != LAST_APPLIED}
    text = go_json(as_decoded({**obj, "metadata": {**metadata, "annotations": notes}}))
    return {**obj, "metadata": {**metadata, "annotations": {**notes, LAST_APPLIED: f"{text}\n"}}}


def create(obj: dict[str, Any]) -> dict[str, Any]:
    """Returns the object that kubectl sends to create an object: without nulls in maps."""
    found: dict[str, Any] = _without_nulls(annotate(obj))
    return found


def has_last_applied(current: Mapping[str, Any]) -> bool:
    """Returns whether an object has the last-applied annotation."""
    metadata = current.get("metadata")
    notes = metadata.get("annotations") if isinstance(metadata, dict) else None
    return isinstance(notes, dict) and LAST_APPLIED in notes


def make_patch(obj: dict[str, Any], current: dict[str, Any]) -> dict[str, Any]:
    """Returns the merge patch that kubectl sends for a manifest, empty if it has nothing to change.

    Additions and changes are relative to the current object, removals to the last-applied manifest.
    """
    new = _patch_numbers(annotate(obj))
    changes = _changes(_difference(_patch_numbers(current), new))
    removals = _removals(_difference(_patch_numbers(_last_applied(current)), new))
    found: dict[str, Any] = as_decoded(as_written(merge(removals, changes)))
    return found


def merge(current: dict[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    """Returns an object after a merge patch (RFC 7386), with nulls where the library of Kubernetes leaves them."""
    found = dict(current)
    for name, value in patch.items():
        before = found.get(name)
        if value is None:
            found.pop(name, None)
        elif isinstance(before, dict):
            found[name] = merge(before, value) if isinstance(value, dict) else value
        else:
            found[name] = _without_nulls(value)
    return found


def _last_applied(current: Mapping[str, Any]) -> dict[str, Any]:
    metadata = current.get("metadata")
    notes = metadata.get("annotations") if isinstance(metadata, dict) else None
    text = notes.get(LAST_APPLIED) if isinstance(notes, dict) else None
    try:
        found = read_json(text)[0] if isinstance(text, str) else None
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _without_nulls(value: Any) -> Any:
    """Returns a value without the names that are null in its maps; items of lists stay."""
    if isinstance(value, dict):
        return {name: _without_nulls(item) for name, item in value.items() if item is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value


def _patch_numbers(value: Any) -> Any:
    """Returns a value with all numbers as floats of 64 bits, as patches are computed."""
    if isinstance(value, dict):
        return {name: _patch_numbers(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_patch_numbers(item) for item in value]
    return float(value) if type(value) is int else value


def _difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the merge patch that turns one object into another. Removed fields are null."""
    found: dict[str, Any] = {}
    for name, value in new.items():
        before = old.get(name)
        if name not in old:
            found[name] = value
        elif isinstance(before, dict) and isinstance(value, dict):
            if inner := _difference(before, value):
                found[name] = inner
        elif not identical(before, value):
            found[name] = value
    found.update((name, None) for name in old if name not in new)
    return found


def _changes(patch: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the part of a patch that adds and changes."""
    found: dict[str, Any] = {}
    for name, value in patch.items():
        if isinstance(value, dict) and value:
            if inner := _changes(value):
                found[name] = inner
        elif value is not None:
            found[name] = value
    return found


def _removals(patch: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the part of a patch that removes fields."""
    found: dict[str, Any] = {}
    for name, value in patch.items():
        inner = _removals(value) if isinstance(value, dict) else value
        if value is None or (isinstance(value, dict) and inner):
            found[name] = inner
    return found


BAD_REQUEST, NOT_FOUND, CONFLICT, INVALID, INTERNAL = 400, 404, 409, 422, 500


class State(str, enum.Enum):
    """Result of applying an object, in the words of kubectl where it has any."""

    CREATED = "created"
    CONFIGURED = "configured"
    UNCHANGED = "unchanged"
    SERVER_SIDE_APPLIED = "serverside-applied"
    REFUSED = "refused"
    NOT_JUDGED = "not judged"


@dataclass(frozen=True, slots=True)
class Applied:
    """An object and the result of applying it.

    Attributes:
        manifest: source of the object.
        state: result of applying it.
        outcome: the server's answer, None for definitions and for objects that are not validated.
        problems: reasons why the whole object is refused, in the server's words, one sentence each; with `by_client` or
            problems in the outcome, the lines of one reason.
        warnings: warnings beside those of the outcome.
        by_client: True if the error is kubectl's own, with or without a request.
        by_patch: True if the patched object cannot be decoded; such an error names neither kind nor object.
        recognised: kind found by name, if the object was not validated against its kind.
        sent: the object that was sent: the manifest merged into the old object.
    """

    manifest: Manifest
    state: State
    outcome: Outcome | None = None
    problems: Sequence[str] = ()
    warnings: Sequence[str] = ()
    by_client: bool = False
    by_patch: bool = False
    recognised: Recognised | None = None
    sent: Any = None

    @property
    def fails(self) -> bool:
        return self.state in (State.REFUSED, State.NOT_JUDGED)

    @property
    def errors(self) -> Sequence[FieldError]:
        return self.outcome.errors if self.outcome is not None else ()

    @property
    def object(self) -> dict[str, Any] | None:
        """Object as the server would store it."""
        if self.outcome is not None:
            return self.outcome.object
        if self.state is State.NOT_JUDGED or self.problems:
            return None
        return self.manifest.obj if self.sent is None else self.sent  # type: ignore[no-any-return]  # it is a mapping


@dataclass(frozen=True, slots=True)
class Request:
    """Settings that apply to all objects of a run.

    Attributes:
        field_validation: treatment of unknown and duplicate fields.
        namespace: namespace of objects without one.
        server_side: True for a server-side apply.
        manager: name of the field manager.
        force: True to take fields from other managers.
        subresource: subresource of a server-side apply, empty for the object.
        tracks: True to track the owners of fields in a client-side apply, too.
        now: time of the request, for managed fields.
    """

    field_validation: str = "Strict"
    namespace: str = ""
    server_side: bool = False
    manager: str = ""
    force: bool = False
    subresource: str = ""
    tracks: bool = False
    now: str = ""


def undecodable(kind: str, version: str, problems: Sequence[str]) -> list[str]:
    """Returns the server's message for a request that it cannot decode."""
    if not problems:
        return []
    return [f'{kind} in version "{version}" cannot be handled as a {kind}: {_decoding_error(problems)}']


def refuse_patch(
    manifest: Manifest, sent: dict[str, Any], value: Any, problems: Sequence[str], warnings: Sequence[str]
) -> Applied:
    """Returns the refusal of an object that cannot be decoded after the patch. The error shows `value`."""
    text = value if isinstance(value, str) else go_json(as_decoded(value))
    error = FieldError(ErrorType.INVALID, text, _decoding_error(problems), "", "patch")
    outcome = Outcome(INVALID, errors=[error])
    return Applied(manifest, State.REFUSED, outcome, warnings=warnings, by_patch=True, sent=sent)


def _decoding_error(problems: Sequence[str]) -> str:
    slips = [problem for problem in problems if problem.startswith(("unknown field ", "duplicate field "))]
    return f"strict decoding error: {', '.join(slips)}" if slips else problems[0]


#: The server's message for an update that is not based on the newest state.
_STALE = "the object has been modified; please apply your changes to the latest version and try again"


def find_stale(obj: Mapping[str, Any], old: Mapping[str, Any]) -> str:
    """Returns the reason if a manifest names another resource version than the server's; without one, any matches."""
    sent, current = (_resource_version(each.get("metadata")) for each in (obj, old))
    return _STALE if sent and current and sent != current else ""


def _resource_version(metadata: Any) -> Any:
    return metadata.get("resourceVersion") if isinstance(metadata, dict) else None


def warn_of_deletion(obj: Mapping[str, Any]) -> list[str]:
    """Returns the warning of kubectl about an object that is being deleted."""
    metadata = obj["metadata"]
    if not metadata.get("deletionTimestamp"):
        return []
    return [f"Detected changes to resource {metadata['name']} which is currently being deleted."]


def warn_of_missing_annotation(resource: str, name: str, *, known: bool) -> list[str]:
    """Returns kubectl's warning about an object that `kubectl apply` did not create."""
    if known:
        return []
    text = (
        f"resource {resource.partition('.')[0]}/{name} is missing the {LAST_APPLIED} annotation which is required by "
        "kubectl apply. kubectl apply should only be used on resources created declaratively by either kubectl create "
        "--save-config or kubectl apply. The missing annotation will be patched automatically."
    )
    return [text]
