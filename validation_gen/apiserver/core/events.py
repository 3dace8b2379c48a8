"""Events, in their two versions: `v1` and `events.k8s.io/v1`.

Sources of the behaviour: `pkg/apis/core/validation/events.go` and `pkg/apis/events/v1/conversion.go` of
`k8s.io/kubernetes`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from validation_gen.apiserver.core.rules import Rules
from validation_gen.apiserver.core.types import encode
from validation_gen.kubernetes.formats import valueformats
from validation_gen.runtime import texts
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.names import byte_count, label_key
from validation_gen.runtime.wire import identical

_OLD, _NEW = "io.k8s.api.core.v1.Event", "io.k8s.api.events.v1.Event"
#: Names of fields in `v1`, and those in `events.k8s.io/v1`.
_RENAMED = {
    "involvedObject": "regarding",
    "message": "note",
    "source": "deprecatedSource",
    "firstTimestamp": "deprecatedFirstTimestamp",
    "lastTimestamp": "deprecatedLastTimestamp",
    "count": "deprecatedCount",
    "reportingComponent": "reportingController",
}
_LONGEST, _LONGEST_NOTE = 128, 1024
_LEAST_SERIES = 2
#: Fields that no update in the new version changes, with their names in errors.
_FIXED = {
    **{
        name: name
        for name in ("involvedObject", "reason", "message", "source", "firstTimestamp", "lastTimestamp", "count")
    },
    **{name: name for name in ("type", "eventTime", "action", "related", "reportingInstance")},
    "reportingComponent": "reportingController",
}


class EventRules(Rules):
    """Events. Checks see them in `v1`."""

    def convert(self, obj: dict[str, Any], api_version: str) -> dict[str, Any]:
        if obj.get("apiVersion") == api_version:
            return obj
        names = _RENAMED if api_version != "v1" else {new: old for old, new in _RENAMED.items()}
        found = {names.get(name, name): value for name, value in obj.items()}
        return encode(_OLD if api_version == "v1" else _NEW, {**found, "apiVersion": api_version})

    def create_errors(self, obj: Mapping[str, Any]) -> list[FieldError]:
        event = self.convert(dict(obj), "v1")
        if obj["apiVersion"] == "v1":
            return [*_old_errors(event, "reportingComponent")]
        errors = [*_old_errors(event, "reportingController"), *self.metadata_errors(obj), *_series_errors(event)]
        return [*errors, *_new_errors(event)]

    def update_errors(self, obj: Mapping[str, Any], old: Mapping[str, Any], subresource: str) -> list[FieldError]:
        event = self.convert(dict(obj), "v1")
        if obj["apiVersion"] == "v1":
            return [*_old_errors(event, "reportingComponent")]
        before = self.convert(dict(old), "v1")
        errors = [*_old_errors(event, "reportingController")]
        if not identical(event.get("series"), before.get("series")):
            errors += _series_errors(event)
        errors += [
            FieldError.invalid(shown, event.get(name), texts.IMMUTABLE)
            for name, shown in _FIXED.items()
            if not identical(event.get(name), before.get(name))
        ]
        return errors


def _old_errors(event: Mapping[str, Any], controller: str) -> Iterator[FieldError]:
    namespace, involved = event["metadata"].get("namespace") or "", event["involvedObject"].get("namespace") or ""
    mismatch = FieldError.invalid("involvedObject.namespace", involved, "does not match event.namespace")
    if not event.get("eventTime"):
        if namespace not in ("", "default") if not involved else namespace != involved:
            yield mismatch
    else:
        if not involved and namespace not in ("default", "kube-system"):
            yield mismatch
        reporter = event.get("reportingComponent") or ""
        if not reporter:
            yield FieldError.required(controller)
        yield from (FieldError.invalid(controller, reporter, message) for message in label_key(reporter))
        yield from _text_errors(event, "reportingInstance", _LONGEST)
        yield from _text_errors(event, "action", _LONGEST)
        yield from _text_errors(event, "reason", _LONGEST)
        if byte_count(event.get("message") or "") > _LONGEST_NOTE:
            yield FieldError.invalid("message", "", f"can have at most {_LONGEST_NOTE} characters")
    yield from (FieldError.invalid("namespace", namespace, message) for message in valueformats.subdomain(namespace))


def _text_errors(event: Mapping[str, Any], name: str, limit: int) -> Iterator[FieldError]:
    text = event.get(name) or ""
    if not text:
        yield FieldError.required(name)
    if byte_count(text) > limit:
        yield FieldError.invalid(name, "", f"can have at most {limit} characters")


def _series_errors(event: Mapping[str, Any]) -> Iterator[FieldError]:
    series = event.get("series")
    if series is None:
        return
    if (series.get("count") or 0) < _LEAST_SERIES:
        yield FieldError.invalid("series.count", "", f"should be at least {_LEAST_SERIES}")
    if not series.get("lastObservedTime"):
        yield FieldError.required("series.lastObservedTime")


def _new_errors(event: Mapping[str, Any]) -> Iterator[FieldError]:
    if not event.get("eventTime"):
        yield FieldError.required("eventTime")
    kind = event.get("type") or ""
    if kind not in ("Normal", "Warning"):
        yield FieldError.invalid("type", "", f"has invalid value: {kind}")
    for name in ("firstTimestamp", "lastTimestamp", "count", "source"):
        if event.get(name):
            yield FieldError.invalid(name, "", "needs to be unset")
