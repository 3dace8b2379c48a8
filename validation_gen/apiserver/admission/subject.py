"""The object of a request under admission, in any version of its resource.

Source of the behaviour: `pkg/admission/conversion.go` of `k8s.io/apiserver`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from validation_gen.apiserver.calls import Call
from validation_gen.apiserver.errors import internal, internal_error
from validation_gen.apiserver.scaling import decode_scale
from validation_gen.kubernetes.objects.admission import Normalized
from validation_gen.kubernetes.objects.outcome import DecodingError
from validation_gen.kubernetes.policies.requests import GroupVersionKind, GroupVersionResource, Request
from validation_gen.runtime.wire import identical


class Subject:
    """The object of a request, and the one before it. Webhooks and policies change it one after the other.

    Attributes:
        equivalents: its resource in all versions.
        is_changed: whether the object has been changed.
    """

    def __init__(self, call: Call, request: Request) -> None:
        self.call = call
        self.is_changed = False
        self._request = request
        self._is_scale = call.target.subresource == "scale"
        self._own = request.resource.version
        self._latest = self._own
        self._objects: dict[str, Any] = {self._own: request.object}
        self._olds: dict[str, Any] = {self._own: request.old}
        self.equivalents = [
            replace(request.resource, version=name) for name in call.resource.equivalents(call.target.subresource)
        ]

    @property
    def request(self) -> Request:
        """The request in the version of its client, with the newest object in its latest version."""
        return replace(self._request, object=self.latest)

    @property
    def latest(self) -> Any:
        """The newest object, in the version in which it was last changed."""
        return self._objects[self._latest]

    def convert(self, resource: GroupVersionResource) -> Request:
        """Returns the request with its objects in the version of an equivalent resource."""
        version = resource.version
        own = self._request
        kind = own.kind if self._is_scale else GroupVersionKind(own.kind.group, version, own.kind.kind)
        if version not in self._objects:
            self._objects[version] = self._to_version(self._in_own_version(), version)
        if version not in self._olds:
            self._olds[version] = self._to_version(own.old, version)
        return replace(
            own,
            object=self._objects[version],
            old=self._olds[version],
            kind=kind,
            resource=resource,
            request_kind=own.kind,
            request_resource=own.resource,
        )

    def revise(self, obj: Any, version: str) -> Any:
        """Returns an object that was patched, with the defaults of its version."""
        try:
            return decode_scale(obj)[0] if self._is_scale else self.call.resource.revise(version, obj)
        except DecodingError as problem:
            raise internal_error(str(problem)) from None

    def change(self, obj: Any, version: str) -> bool:
        """Replaces the object by another one in a version. Returns whether it has changed."""
        differs = not identical(obj, self._objects[version])
        self.is_changed = True
        self._latest = version
        self._objects = {version: obj}
        return differs

    def result(self) -> Normalized:
        """Returns the object in the version of the request, without the fields that its type does not have."""
        found = self._in_own_version()
        try:
            if self._is_scale:
                return Normalized(decode_scale(found)[0])
            return self.call.resource.decode(self.call.version, found, "Ignore", None)[0]
        except DecodingError as problem:
            raise internal(str(problem)) from None

    def _in_own_version(self) -> Any:
        if self._own not in self._objects:
            self._objects[self._own] = self._to_version(self.latest, self._own)
        return self._objects[self._own]

    def _to_version(self, obj: Any, version: str) -> Any:
        return obj if obj is None or self._is_scale else self.call.resource.convert(obj, version)
