"""What `kubectl apply --dry-run=server` would say of manifests, without a server.

Definitions among the manifests define kinds for those after them. Nothing is read or printed here.

An update is made as kubectl makes it: what the manifest says is laid over the old object, and what the last manifest
said and this one does not is taken away.
"""

from __future__ import annotations

import enum
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from validation_gen.kubernetes.crd.run import check, is_definition
from validation_gen.kubernetes.manifests import Manifest
from validation_gen.kubernetes.objects import Kind, Outcome, Scheme, UnjudgedError
from validation_gen.kubernetes.objects.admission import admit
from validation_gen.runtime.errors import FieldError

_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


class State(str, enum.Enum):
    """What becomes of an object, in the words of kubectl where it has any."""

    CREATED = "created"
    CONFIGURED = "configured"
    UNCHANGED = "unchanged"
    REFUSED = "refused"
    NOT_JUDGED = "not judged"


@dataclass(frozen=True, slots=True)
class Applied:
    """An object and what becomes of it.

    Attributes:
        manifest: where it comes from.
        state: what becomes of it.
        outcome: the server's answer, None for definitions and for what is not judged.
        problems: why it is refused as a whole, in the server's words, one sentence each.
        sent: the object that was sent, which is that of the manifest laid over the old one.
    """

    manifest: Manifest
    state: State
    outcome: Outcome | None = None
    problems: Sequence[str] = ()
    sent: Any = None

    @property
    def fails(self) -> bool:
        return self.state in (State.REFUSED, State.NOT_JUDGED)

    @property
    def errors(self) -> Sequence[FieldError]:
        return self.outcome.errors if self.outcome is not None else ()

    @property
    def object(self) -> dict[str, Any] | None:
        """The object as it would be stored."""
        if self.outcome is not None:
            return self.outcome.object
        return self.manifest.obj if self.state is not State.NOT_JUDGED and not self.problems else None


@dataclass(frozen=True, slots=True)
class Request:
    """What holds for all objects of a run."""

    subresource: str = ""
    field_validation: str = "Strict"


@dataclass(slots=True)
class _Olds:
    """Old objects by group, kind, namespace and name: the version does not count."""

    objects: dict[tuple[str, str, str, str], Any] = field(default_factory=dict)

    def add(self, obj: Any) -> None:
        if isinstance(obj, dict):
            self.objects[_identity(obj)] = obj

    def of(self, obj: Mapping[str, Any]) -> Any:
        return self.objects.get(_identity(obj))


def _identity(obj: Mapping[str, Any]) -> tuple[str, str, str, str]:
    metadata = obj.get("metadata")
    meta = metadata if isinstance(metadata, dict) else {}
    version = str(obj.get("apiVersion") or "")
    group = version.rpartition("/")[0]
    return group, str(obj.get("kind")), str(meta.get("namespace") or "default"), str(meta.get("name"))


def apply_all(manifests: Iterable[Manifest], olds: Iterable[Manifest], request: Request) -> Iterator[Applied]:
    """What becomes of each object, in order. Definitions among the old objects define kinds, too."""
    scheme, known = Scheme(), _Olds()
    for old in olds:
        if is_definition(old.obj):
            _define(scheme, old)
        known.add(old.obj)
    for manifest in manifests:
        if is_definition(manifest.obj):
            yield _define(scheme, manifest)
        else:
            yield _apply(scheme, manifest, known, request)


def _define(scheme: Scheme, manifest: Manifest) -> Applied:
    problems = [finding.message for finding in check(manifest.obj) if finding.type or finding.severity.value == "error"]
    if problems:
        return Applied(manifest, State.REFUSED, problems=problems)
    scheme.define(manifest.obj)
    return Applied(manifest, State.CREATED)


def _apply(scheme: Scheme, manifest: Manifest, known: _Olds, request: Request) -> Applied:
    obj = manifest.obj
    kind = scheme.kind_of(obj) if isinstance(obj, dict) else None
    if kind is None or not isinstance(obj, dict):
        return Applied(manifest, State.NOT_JUDGED, problems=[_unknown(manifest)])
    version = kind.versions.get(manifest.identity[0].rpartition("/")[2])
    if version is None or not version.served:
        return Applied(manifest, State.NOT_JUDGED, problems=[_unknown(manifest)])
    old = known.of(obj)
    if old is None and request.subresource:
        return Applied(manifest, State.NOT_JUDGED, problems=["there is no old object whose part could be updated"])
    sent = obj
    try:
        sent = obj if old is None or request.subresource else merged(obj, old)
        outcome = scheme.admit(sent, old, subresource=request.subresource, field_validation=request.field_validation)
    except UnjudgedError as reason:
        return Applied(manifest, State.NOT_JUDGED, problems=[str(reason)])
    except RecursionError:
        return Applied(manifest, State.NOT_JUDGED, problems=["nested too deeply"])
    if not outcome.ok:
        return Applied(manifest, State.REFUSED, outcome, _sentences(outcome, kind, version.name), sent)
    if old is None:
        return Applied(manifest, State.CREATED, outcome, sent=sent)
    before = admit(kind, version, old, old, field_validation="Ignore").object
    state = State.UNCHANGED if before == outcome.object else State.CONFIGURED
    return Applied(manifest, state, outcome, sent=sent)


def _unknown(manifest: Manifest) -> str:
    version, kind, _, _ = manifest.identity
    if not version or not kind:
        return "the object does not say what it is: apiVersion and kind are missing"
    return f'no matches for kind "{kind}" in version "{version}"'


def _sentences(outcome: Outcome, kind: Kind, version: str) -> list[str]:
    """What a server says of a request that it cannot decode."""
    if not outcome.problems:
        return []
    slips = [problem for problem in outcome.problems if problem.startswith(("unknown field ", "duplicate field "))]
    told = f"strict decoding error: {', '.join(slips)}" if slips else outcome.problems[0]
    return [f'{kind.kind} in version "{version}" cannot be handled as a {kind.kind}: {told}']


# --- kubectl's merge --------------------------------------------------------------------------------------------------


def merged(new: dict[str, Any], old: dict[str, Any]) -> dict[str, Any]:
    """The object that kubectl sends: the manifest over the old object, without what the last manifest had alone."""
    before = _last_applied(old)
    metadata = new.get("metadata")
    if isinstance(metadata, dict):
        # What kubectl sends has annotations always, as it writes one itself: those of others stay.
        new = {**new, "metadata": {**metadata, "annotations": metadata.get("annotations") or {}}}
    found: dict[str, Any] = _merged(new, old, before if isinstance(before, dict) else {})
    return found


def _last_applied(old: dict[str, Any]) -> Any:
    metadata = old.get("metadata")
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
    text = annotations.get(_LAST_APPLIED) if isinstance(annotations, dict) else None
    try:
        return json.loads(text) if isinstance(text, str) else None
    except ValueError:
        return None


def _merged(new: dict[str, Any], old: dict[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    found = {name: value for name, value in old.items() if name in new or name not in before}
    for name, value in new.items():
        current, last = found.get(name), before.get(name)
        if isinstance(value, dict) and isinstance(current, dict):
            found[name] = _merged(value, current, last if isinstance(last, dict) else {})
        elif value is None:
            found.pop(name, None)  # a merge patch takes away what is null
        else:
            found[name] = value
    return found
