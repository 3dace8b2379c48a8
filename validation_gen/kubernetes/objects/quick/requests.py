"""Fast path of requests that a server accepts."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from validation_gen.kubernetes.cel.compiled import TOO_LARGE, DoubtError, UnsupportedError
from validation_gen.kubernetes.crd.expressions import OBJECT_BUDGET
from validation_gen.kubernetes.objects import metadata
from validation_gen.kubernetes.objects.kinds import Kind, Served
from validation_gen.kubernetes.objects.outcome import DecodingError, Outcome
from validation_gen.kubernetes.objects.preparing import place, prepare
from validation_gen.kubernetes.objects.quick.places import DOUBTS, QuickRules
from validation_gen.kubernetes.objects.quick.settling import Settler
from validation_gen.kubernetes.objects.scale import scale_errors
from validation_gen.runtime.native import accept


class QuickVersion:
    """Fast path of one version of a kind; with `native` code, if it is available.

    Raises:
        UnsupportedError: the schema has no fast path.
    """

    def __init__(self, version: Served, *, native: bool = True) -> None:
        self.native = accept if native else None
        #: Returns whether metadata is stored unchanged, and valid.
        self.is_plain: Callable[[Any], bool] = _is_never
        if self.native is not None:
            from validation_gen.kubernetes.objects.quick.plain import is_plain  # noqa: PLC0415 - for native code only

            self.is_plain = is_plain
        #: For sent objects: without the status if that is a subresource.
        self.sent = Settler(version.schema, "status" if version.status else "", native=native)
        #: For stored objects.
        self.whole = Settler(version.schema, native=native) if version.status else self.sent
        self.rules = None if version.rules is None else QuickRules(version.rules)


def _is_never(_: Any) -> bool:
    return False


def accepted(kind: Kind, version: Served, new: Any, old: dict[str, Any] | None) -> Outcome | None:
    """Returns the answer to a create or an update that is certainly valid, None if something may be wrong."""
    quick = quick_of(version)
    if quick is None:
        return None
    try:
        return _accepted(quick, kind, version, new, old)
    except (*DOUBTS, DecodingError):
        return None


def quick_of(version: Served) -> QuickVersion | None:
    """Returns the fast path for requests about a version, which is made once; None if there is none."""
    if version.quick is None:
        try:
            version.quick = QuickVersion(version)
        except (UnsupportedError, *TOO_LARGE):
            version.quick = False
    return version.quick if isinstance(version.quick, QuickVersion) else None


def _accepted(quick: QuickVersion, kind: Kind, version: Served, new: Any, old: dict[str, Any] | None) -> Outcome:
    obj = _sent(quick, kind, version, new)
    if old is None:
        before = None
    elif _is_unchanged(quick, new, old):
        before = {**obj, "metadata": dict(obj["metadata"])}
        place(before["metadata"], namespaced=kind.namespaced)
    else:
        before = _loaded(kind, version, old)
    prepare(obj, before, kind, version)
    meta = obj["metadata"]
    if meta.get("generation") == 0:  # after -1; it is not written, like an absent field
        raise DoubtError
    if metadata.drop_duplicate_owners(meta):
        raise DoubtError
    quick.sent.check_metadata(meta)
    if _metadata_errors(quick, kind, meta, None if before is None else before["metadata"]):
        raise DoubtError
    if scale_errors(obj, version.scale):
        raise DoubtError
    if quick.rules is not None:
        quick.rules.spent(obj, before)
    warnings = metadata.finalizer_warnings(meta, before["metadata"] if before else None)
    read = _read_back(quick, kind, version, obj)
    code = 201 if old is None else 200
    judged = (obj, before)
    kept = functools.partial(quick.whole.stored, read)
    spent = functools.partial(_cost, version, obj, before)
    return Outcome(code, kept, warnings=warnings, judged=judged, spent=spent)


def _is_unchanged(quick: QuickVersion, new: Any, old: dict[str, Any]) -> bool:
    """Returns whether the old and the new object were sent alike, and the server would store them alike."""
    if "metadata" not in new or (quick.whole is not quick.sent and "status" in old):
        return False
    return quick.native is not None and quick.sent.default is None and quick.native.same(new, old)


def _metadata_errors(quick: QuickVersion, kind: Kind, new: dict[str, Any], old: dict[str, Any] | None) -> bool:
    """Returns whether metadata is, or may be, wrong."""
    if quick.is_plain(new):  # also checks the name and the namespace
        return old is not None and metadata.is_moved(new, old)
    if old is None:
        return bool(metadata.create_errors(new, namespaced=kind.namespaced))
    errors = metadata.common_errors(new, namespaced=kind.namespaced)
    return bool(errors or metadata.update_errors(new, old))


def _decoded(quick: QuickVersion, kind: Kind, version: Served, obj: Any) -> dict[str, Any]:
    """Returns an object with its metadata in the server's form."""
    if obj.__class__ is not dict or obj.get("kind") != kind.kind or obj.get("apiVersion") != version.api_version:
        raise DoubtError
    if "metadata" not in obj:
        return dict(obj)
    if quick.is_plain(obj["metadata"]):
        return {**obj, "metadata": dict(obj["metadata"])}
    unknown: list[str] = []
    found = {**obj, "metadata": metadata.decoded(obj["metadata"], unknown=unknown)}
    if unknown:
        raise DoubtError
    return found


def _sent(quick: QuickVersion, kind: Kind, version: Served, new: Any) -> dict[str, Any]:
    found = _decoded(quick, kind, version, new)
    if version.status and "status" in found:
        quick.sent.part(found.pop("status"))
    obj: dict[str, Any] = quick.sent.settled(found)
    return obj


def _loaded(kind: Kind, version: Served, old: dict[str, Any]) -> dict[str, Any]:
    """Reads the old object from the storage, where it is in the version that it names."""
    own, its = version, quick_of(version)
    if old.get("apiVersion") != version.api_version:
        own = kind.versions.get(str(old.get("apiVersion")).rpartition("/")[2], version)
        its = quick_of(own)
    if its is None:
        raise DoubtError
    found: dict[str, Any] = its.whole.settled(_decoded(its, kind, own, old))
    place(found.setdefault("metadata", {}), namespaced=kind.namespaced)
    return found if own is version else _converted(found, version)


def _converted(obj: dict[str, Any], version: Served, *, defaults: bool = False) -> dict[str, Any]:
    """Converts an object to another version, which drops the fields that this lacks.

    Its functions also fill in defaults, which is only allowed with `defaults`.
    """
    quick = quick_of(version)
    if quick is None:
        raise DoubtError
    sent = {**obj, "apiVersion": version.api_version}
    found: dict[str, Any] = quick.whole.settled(sent)
    if not defaults and found != sent:
        raise DoubtError
    return found


def _read_back(quick: QuickVersion, kind: Kind, version: Served, obj: dict[str, Any]) -> dict[str, Any]:
    """Returns an object as a client reads it; it may share parts with others. A missing status gets its default."""
    found = obj
    if version is not kind.storage:
        found = _converted(_converted(obj, kind.storage, defaults=True), version)
    elif quick.sent.default is not None and "status" not in obj:
        found = {**obj, "status": quick.sent.part(quick.sent.default.value)}
    return found


def _cost(version: Served, obj: dict[str, Any], before: dict[str, Any] | None) -> int:
    if version.rules is None:
        return 0
    return OBJECT_BUDGET - max(version.rules.check(obj, before).budget, 0)
