"""What `kubectl apply --dry-run=server` would say of manifests, without a server.

Definitions among the manifests define kinds for those after them. Nothing is read or printed here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from validation_gen.diagnostics import Diagnostics
from validation_gen.kubernetes.crd.run import is_definition
from validation_gen.kubernetes.manifests import Manifest
from validation_gen.kubernetes.objects import Kind, Outcome, Scheme, UnjudgedError
from validation_gen.kubernetes.objects.admission import admit
from validation_gen.kubernetes.objects.scale import is_scale
from validation_gen.uses.apply.answers import BAD_REQUEST, CONFLICT, Applied, Request, State, undecodable
from validation_gen.uses.apply.defining import define, learn
from validation_gen.uses.apply.merging import merged
from validation_gen.uses.recognition import recognise, refusal
from validation_gen.uses.schemes import Definitions, served

#: What a server says of an update that is not about the newest state.
_STALE = "the object has been modified; please apply your changes to the latest version and try again"


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


def apply_all(
    manifests: Iterable[Manifest], olds: Iterable[Manifest], request: Request, diagnostics: Diagnostics
) -> Iterator[Applied]:
    """What becomes of each object, in order. Definitions among the old objects define kinds, too.

    What there is to say of these is added to the diagnostics.
    """
    known, objects = Definitions(), _Olds()
    for old in olds:
        if is_definition(old.obj):
            learn(known, old, diagnostics)
        objects.add(old.obj)
    for manifest in manifests:
        if is_definition(manifest.obj):
            yield define(known, manifest, objects.of(manifest.obj), request.field_validation)
        else:
            yield _apply(known, manifest, objects, request)


def _apply(definitions: Definitions, manifest: Manifest, known: _Olds, request: Request) -> Applied:
    obj, scheme = manifest.obj, definitions.scheme
    if request.subresource == "scale" and is_scale(obj):
        return _scaled(scheme, manifest, known, request)
    kind = scheme.kind_of(obj) if isinstance(obj, dict) else None
    version = kind.versions.get(manifest.identity[0].rpartition("/")[2]) if kind is not None else None
    if kind is None or version is None or not version.served:
        return _of_another_kind(scheme, manifest, request)
    if reason := _refused_by_kubectl(manifest, kind.namespaced, request.namespace):
        return Applied(manifest, State.REFUSED, problems=[reason], by_client=True)
    obj = _placed(obj, kind.namespaced, request.namespace)
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
    if old is not None and outcome.code != BAD_REQUEST and _is_stale(obj, old):
        problem = f'Operation cannot be fulfilled on {definitions.resource(kind)} "{manifest.name}": {_STALE}'
        return Applied(manifest, State.REFUSED, Outcome(CONFLICT, problems=[problem]), [problem], sent=sent)
    if not outcome.ok:
        return Applied(
            manifest, State.REFUSED, outcome, undecodable(kind.kind, version.name, outcome.problems), sent=sent
        )
    if old is None:
        return Applied(manifest, State.CREATED, outcome, sent=sent)
    before = admit(kind, version, old, old, field_validation="Ignore").object
    state = State.UNCHANGED if before == outcome.object else State.CONFIGURED
    return Applied(manifest, state, outcome, sent=sent)


def _scaled(scheme: Scheme, manifest: Manifest, known: _Olds, request: Request) -> Applied:
    """What becomes of the object that a `Scale` names, as it shows its scale afterwards."""
    _, _, namespace, name = manifest.identity
    wanted = namespace or request.namespace or "default"
    scalable = [
        (obj, kind)
        for (_, _, space, own), obj in known.objects.items()
        if own == name
        and (kind := scheme.kind_of(obj)) is not None
        and (space == wanted or not kind.namespaced)
        and _is_scalable(kind, obj)
    ]
    if len(scalable) != 1:
        found = "no old object" if not scalable else "more than one old object"
        return Applied(manifest, State.NOT_JUDGED, problems=[f"{found} of this name can be scaled"])
    old, kind = scalable[0]
    try:
        outcome = scheme.admit(manifest.obj, old, subresource="scale", field_validation=request.field_validation)
    except UnjudgedError as reason:
        return Applied(manifest, State.NOT_JUDGED, problems=[str(reason)])
    if not outcome.ok:
        problems = undecodable(manifest.identity[1], "v1", outcome.problems)
        return Applied(manifest, State.REFUSED, outcome, problems, sent=manifest.obj)
    return Applied(manifest, State.CONFIGURED, outcome, sent=manifest.obj)


def _is_scalable(kind: Kind, obj: Mapping[str, Any]) -> bool:
    version = kind.versions.get(str(obj.get("apiVersion")).rpartition("/")[2])
    return version is not None and version.served and version.scale is not None


def _of_another_kind(scheme: Scheme, manifest: Manifest, request: Request) -> Applied:
    """What is said of an object whose kind, or whose version of it, nothing here defines."""
    api_version, name, _, _ = manifest.identity
    if not api_version or not name:
        problem = "the object does not say what it is: apiVersion and kind are missing"
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
    """Whether a manifest is about another state of the object than the server has. Who names none means any."""
    sent, current = (_resource_version(each.get("metadata")) for each in (obj, old))
    return bool(sent and current) and sent != current


def _resource_version(metadata: Any) -> Any:
    return metadata.get("resourceVersion") if isinstance(metadata, dict) else None


# --- what kubectl does before it asks a server ------------------------------------------------------------------------


def _refused_by_kubectl(manifest: Manifest, namespaced: bool, namespace: str) -> str:
    """Why kubectl does not send an object at all; empty if it does."""
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
    """The object in the namespace of the request, if it names none."""
    metadata = obj.get("metadata")
    if not namespaced or not namespace or not isinstance(metadata, dict):
        return obj
    return {**obj, "metadata": {**metadata, "namespace": metadata.get("namespace") or namespace}}
