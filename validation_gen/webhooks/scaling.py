"""Requests about the scale of an object: they contain a `Scale` of `autoscaling/v1`, and not the object.

A `Scale` alone can only be checked for its form, and its number of replicas. With a reader, the object is fetched,
scaled as the server does it, and validated as a whole. The audit log names the parts that were not validated.

Source of the behaviour: `ScaleREST` in `pkg/registry/customresource/etcd.go` of `k8s.io/apiextensions-apiserver`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from validation_gen.runtime.errors import FieldError
from validation_gen.webhooks.functions import Verdict
from validation_gen.webhooks.reader import Reader
from validation_gen.webhooks.reviews import WRITING, Request

if TYPE_CHECKING:
    from validation_gen.kubernetes.crd.definition import Scale

_UNJUDGED = "unjudged"
_SCALE = "autoscaling/v1", "Scale"


@dataclass(frozen=True, slots=True)
class Scalable:
    """A kind that has a scale.

    Attributes:
        group: the group of the kind.
        plural: its plural name.
        api_version: a version with validators.
        kind: the kind.
        scale: the paths of its numbers of replicas.
    """

    group: str
    plural: str
    api_version: str
    kind: str
    scale: Scale


class Scaling:
    """Knows which kinds have a scale.

    Args:
        scalable: these kinds.
        reader: reads objects, so that they can be validated as a whole.
    """

    def __init__(self, scalable: Iterable[Scalable] = (), reader: Reader | None = None) -> None:
        self._kinds: dict[tuple[str, str, str], Scalable] = {}
        for each in scalable:
            self._kinds[each.group, each.api_version.rpartition("/")[2], each.plural] = each
            self._kinds.setdefault((each.group, "", each.plural), each)
        self._reader = reader

    def concerns(self, request: Request) -> bool:
        """Returns whether a request is about a scale."""
        if request.subresource != "scale" or request.operation not in WRITING or not isinstance(request.object, dict):
            return False
        return (request.object.get("apiVersion"), request.object.get("kind")) == _SCALE

    def alone(self, request: Request) -> Verdict:
        """Returns the verdict on a `Scale` without the object.

        Raises:
            LookupError: it cannot be decoded.
        """
        replicas = _replicas(request.object)
        if replicas < 0:
            said = "must be greater than or equal to 0"
            return Verdict([FieldError.invalid("spec.replicas", replicas, said).with_origin("minimum")])
        return Verdict(annotations={_UNJUDGED: "the object that is scaled"})

    async def whole(self, request: Request) -> tuple[Request, Verdict]:
        """Returns the update of the object for a request about its scale, and the verdict on the scale alone.

        It returns the request itself without a reader, or without such an object.

        Raises:
            LookupError: the scale cannot be decoded, or the object cannot be scaled.
            Exception: the reader has failed.
        """
        # Imported late: not all users need it, and it is large.
        from validation_gen.kubernetes.objects.outcome import DecodingError  # noqa: PLC0415
        from validation_gen.kubernetes.objects.scale import UnscalableError, scaled  # noqa: PLC0415

        known = self.alone(request)
        group, version, plural = request.resource
        kind = self._kinds.get((group, version, plural)) or self._kinds.get((group, "", plural))
        if self._reader is None or kind is None or known.errors:
            return request, known
        old = await self._reader.get(kind.api_version, kind.kind, request.namespace, request.name, fresh=True)
        if not isinstance(old, dict):
            return request, known
        try:
            new = scaled(old, kind.scale, _replicas(request.object))
        except (UnscalableError, DecodingError) as problem:
            raise LookupError(str(problem)) from None
        return replace(request, operation="UPDATE", object=new, old=old, subresource=""), Verdict()


def _replicas(sent: Any) -> int:
    from validation_gen.kubernetes.objects.outcome import DecodingError, UnjudgedError  # noqa: PLC0415 - as above
    from validation_gen.kubernetes.objects.scale import asked_replicas  # noqa: PLC0415

    try:
        return asked_replicas(sent)[0]
    except (DecodingError, UnjudgedError) as problem:
        raise LookupError(str(problem)) from None
