"""Decodes the object of a request, and compares it with the URL.

Source of the behaviour: `pkg/endpoints/handlers/{create,update}.go` of `k8s.io/apiserver`.
"""

from __future__ import annotations

from typing import Any

from validation_gen.apiserver.bodies import check_kind, unreadable
from validation_gen.apiserver.calls import Call
from validation_gen.apiserver.errors import bad_request
from validation_gen.apiserver.requests import WriteOptions
from validation_gen.apiserver.resources import CustomResource
from validation_gen.kubernetes.objects import Duplicates, UnsupportedRequestError
from validation_gen.kubernetes.objects.admission import Normalized
from validation_gen.kubernetes.objects.outcome import DecodingError

#: Fields of every object.
OBJECT_NAMES = ("apiVersion", "kind", "metadata")


def decode_sent(
    call: Call, obj: Any, duplicates: Duplicates | None, problems: list[str], options: WriteOptions
) -> Normalized:
    """Returns the object of a create or an update in the server's form."""
    obj = with_kind(call, obj)
    check_kind(call, obj)
    wanted = call.version.api_version
    level = options.field_validation
    if obj.get("apiVersion") != wanted or obj["kind"] != call.resource.names.kind:
        return _decode_other(call, obj, duplicates, options)
    try:
        sent, slips = call.resource.decode(call.version, obj, level, duplicates)
    except DecodingError as problem:
        raise unreadable(call, obj, str(problem)) from None
    except (RecursionError, UnsupportedRequestError):
        raise unreadable(call, obj, "exceeded max depth") from None
    if level == "Strict":
        twice = [f"yaml: unmarshal errors:\n  {problem}" for problem in problems]
        if twice or slips:
            raise unreadable(call, obj, f"strict decoding error: {', '.join([*twice, *slips])}")
    call.warnings += [*(problems if level == "Warn" else ()), *slips]
    return sent


def _decode_other(call: Call, obj: dict[str, Any], duplicates: Duplicates | None, options: WriteOptions) -> Normalized:
    """Decodes an object of another version, which is refused, or of another kind, which is refused later."""
    wanted = call.version.api_version
    try:
        call.resource.check_type(obj)
    except DecodingError as problem:
        raise unreadable(call, obj, str(problem)) from None
    if (obj.get("apiVersion") or "") != wanted:
        if has_other_version(call, obj) and options.field_validation == "Warn":
            names = [name for name in sorted(obj) if name not in OBJECT_NAMES]
            call.warnings += [f'unknown field "{name}"' for name in names]
        found = obj.get("apiVersion") or ""
        raise bad_request(f"the API version in the data ({found}) does not match the expected API version ({wanted})")
    try:
        sent, slips = call.resource.decode(call.version, obj, options.field_validation, duplicates)
    except DecodingError as problem:
        raise unreadable(call, obj, str(problem)) from None
    call.warnings += slips
    return sent


def with_kind(call: Call, obj: Any) -> Any:
    """Returns an object with the expected kind and version, if it has none and need not have them."""
    if not call.resource.kind_is_optional or not isinstance(obj, dict):
        return obj
    named = {"apiVersion": call.version.api_version, "kind": call.resource.names.kind}
    return {**obj, **{name: value for name, value in named.items() if not obj.get(name)}}


def check_namespace(call: Call, meta: dict[str, Any]) -> None:
    """Sets the namespace of an object from the URL. Refuses an object with another namespace."""
    if not call.resource.namespaced:
        meta.pop("namespace", None)
        return
    if meta.get("namespace", call.target.namespace) != call.target.namespace:
        raise bad_request("the namespace of the provided object does not match the namespace sent on the request")
    meta["namespace"] = call.target.namespace


def check_identity(call: Call, meta: dict[str, Any]) -> None:
    """Sets the namespace as `check_namespace`, and refuses an object without the name of the URL."""
    check_namespace(call, meta)
    name, own = call.target.name, meta.get("name") or ""
    if not own:
        text = f"the name of the object ({name} based on URL) was undeterminable: name must be provided"
        raise bad_request(text)
    if own != name:
        raise bad_request(f"the name of the object ({own}) does not match the name on the URL ({name})")


def has_other_version(call: Call, obj: dict[str, Any]) -> bool:
    """Returns whether an object has a version of its group that the kind does not have."""
    if not isinstance(call.resource, CustomResource):
        return False
    version = str(obj.get("apiVersion") or "")
    group = version.rpartition("/")[0]
    known = version.rpartition("/")[2] in call.resource.versions
    return group == call.resource.group and obj.get("kind") == call.resource.names.kind and not known
