"""Deletes of objects and of collections.

Sources of the behaviour: `pkg/endpoints/handlers/delete.go` and `pkg/registry/generic/registry/store.go` of
`k8s.io/apiserver`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from validation_gen.apiserver.bodies import NOT_JSON, BodyError, decode_body, describe_mistype
from validation_gen.apiserver.calls import Call, Response
from validation_gen.apiserver.errors import ApiError, bad_request, conflict, make_details, not_found
from validation_gen.apiserver.ownership import FOREGROUND, ORPHAN
from validation_gen.apiserver.reads import Reader, selection
from validation_gen.apiserver.requests import DeleteOptions, delete_options, list_options, refuse_invalid
from validation_gen.apiserver.storage import ConflictError, Entry, Store
from validation_gen.apiserver.writes import STALE, decode_object, encode_object
from validation_gen.runtime.gotext import go_quote

_ATTEMPTS = 5
#: Types of delete options, in Python and in Go.
_TYPES: dict[str, tuple[type, str]] = {
    "gracePeriodSeconds": (int, "int64"),
    "preconditions": (dict, "v1.Preconditions"),
    "orphanDependents": (bool, "bool"),
    "propagationPolicy": (str, "v1.DeletionPropagation"),
    "dryRun": (list, "[]string"),
}


class Deleter:
    """Handler of delete requests."""

    def __init__(self, store: Store, reader: Reader) -> None:
        self.store = store
        self.reader = reader

    async def delete(self, call: Call) -> Response:
        """Deletes an object, or marks it for deletion."""
        options = _read_options(call)
        obj, deleted = await self.remove(call, call.key, call.target.name, options)
        if deleted:
            return Response(200, _success(call, obj))
        return Response(202 if options.orphan is False else 200, obj)

    async def remove(self, call: Call, key: str, name: str, options: DeleteOptions) -> tuple[dict[str, Any], bool]:
        """Deletes one object.

        Returns:
            The object, and whether it is gone.
        """
        if call.review is not None and not call.review.options:  # a request of the server itself
            call.review.options = _write_options(options)
        for _ in range(_ATTEMPTS):
            entry = await self.store.get(key)
            if entry is None:
                raise not_found(*call.qualified, name)
            try:
                return await self._remove_once(call, entry, name, options)
            except ConflictError:
                continue
        raise conflict(*call.qualified, name, STALE)

    async def _remove_once(
        self, call: Call, entry: Entry, name: str, options: DeleteOptions
    ) -> tuple[dict[str, Any], bool]:
        stored = decode_object(entry)
        meta = stored["metadata"]
        shown = await call.resource.run(call.resource.load, call.version, stored)
        self._check(call, name, meta, options)
        if call.review is not None:
            await call.review.run(call.review.remove, shown.object, call.target.name)
        marked = call.resource.deleting(stored, call.clock.stamp())
        if marked is not stored:
            value = encode_object(marked)
            if value != entry.value and not options.dry_run:
                revision = await self.store.put(entry.key, value, entry.revision)
                marked["metadata"]["resourceVersion"] = str(revision)
            return marked, False
        finalizers = _finalizers(meta.get("finalizers") or [], options)
        if not finalizers:
            if not options.dry_run:
                await self.store.delete(entry.key, entry.revision)
            return shown.object, True
        changed = {**meta, "finalizers": finalizers, "deletionGracePeriodSeconds": 0}
        if "deletionTimestamp" not in meta:
            changed["deletionTimestamp"] = call.clock.stamp()
            if meta.get("generation"):
                changed["generation"] = meta["generation"] + 1
        new = {**stored, "metadata": changed}
        value = encode_object(new)
        if value != entry.value and not options.dry_run:
            revision = await self.store.put(entry.key, value, entry.revision)
            changed["resourceVersion"] = str(revision)
        return (await call.resource.run(call.resource.load, call.version, new)).object, False

    def _check(self, call: Call, name: str, meta: dict[str, Any], options: DeleteOptions) -> None:
        group, kind = call.resource.group, call.resource.names.kind
        uid, version = meta.get("uid") or "", meta.get("resourceVersion") or ""
        if options.uid is not None and options.uid != uid:
            problem = (
                f"the UID in the precondition ({options.uid}) does not match the UID in record ({uid}). "
                "The object might have been deleted and then recreated"
            )
            raise conflict(group, kind, name, problem)
        if options.resource_version is not None and options.resource_version != version:
            problem = (
                f"the ResourceVersion in the precondition ({options.resource_version}) does not match the "
                f"ResourceVersion in record ({version}). The object might have been modified"
            )
            raise conflict(group, kind, name, problem)

    async def delete_collection(self, call: Call) -> Response:
        """Deletes the selected objects, and returns the list of them."""
        listed = list_options(call.query)
        refuse_invalid(listed)
        selection(call, listed)
        options = _read_options(call)
        if not call.body and "resourceVersion" in call.query:
            options = replace(options, resource_version=call.query["resourceVersion"][0])
        response = await self.reader.list_objects(call)
        for item in response.body["items"]:
            meta = item["metadata"]
            key = f"{call.resource.make_prefix(meta.get('namespace') or '')}{meta['name']}"
            try:
                await self.remove(call, key, meta["name"], options)
            except ApiError as problem:
                if problem.code != 404:
                    raise
        return response


def _success(call: Call, obj: dict[str, Any]) -> dict[str, Any]:
    meta = obj["metadata"]
    details = make_details(*call.qualified, meta["name"], uid=meta.get("uid"))
    return {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "details": details}


def _finalizers(known: list[str], options: DeleteOptions) -> list[str]:
    """Returns the finalizers of an object once it is to be deleted."""
    orphans = foreground = False
    if options.orphan is not None:
        orphans = options.orphan
    elif options.propagation:
        orphans, foreground = options.propagation == "Orphan", options.propagation == "Foreground"
    else:
        first = next((name for name in known if name in (ORPHAN, FOREGROUND)), "")
        orphans, foreground = first == ORPHAN, first == FOREGROUND
    found = [name for name in known if name not in (ORPHAN, FOREGROUND)]
    return found + [ORPHAN] * orphans + [FOREGROUND] * foreground


def _read_options(call: Call) -> DeleteOptions:
    body = _read_body(call)
    options = delete_options(call.query, body)
    if call.review is not None:
        call.review.options = _write_options(options, (body or {}).get("gracePeriodSeconds"))
    return options


def _write_options(options: DeleteOptions, seconds: Any = None) -> dict[str, Any]:
    """Returns options as webhooks and policies see them."""
    found: dict[str, Any] = {
        "gracePeriodSeconds": seconds,
        "preconditions": _without_none({"uid": options.uid, "resourceVersion": options.resource_version}) or None,
        "orphanDependents": options.orphan,
        "propagationPolicy": options.propagation or None,
        "dryRun": ["All"] if options.dry_run else None,
    }
    return _without_none({"kind": "DeleteOptions", "apiVersion": "meta.k8s.io/v1", **found})


def _without_none(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _check_types(options: dict[str, Any]) -> None:
    """Checks the types of delete options."""
    meta = [(f".{name}", options.get(name), str, "string") for name in ("kind", "apiVersion")]
    fields = [(f"DeleteOptions.{name}", options.get(name), *found) for name, found in _TYPES.items()]
    for place, value, wanted, type_name in (*meta, *fields):
        if value is not None and type(value) is not wanted:
            prefix = NOT_JSON if place[0] == "." else ""
            raise _mistype(prefix, value, place, type_name)
    for name, type_name in (("uid", "types.UID"), ("resourceVersion", "string")):
        value = (options.get("preconditions") or {}).get(name)
        if value is not None and not isinstance(value, str):
            raise _mistype("", value, f"DeleteOptions.preconditions.{name}", type_name)
    for value in options.get("dryRun") or ():
        if not isinstance(value, str):
            raise _mistype("", value, "DeleteOptions.dryRun", "string")


def _mistype(prefix: str, value: Any, place: str, wanted: str) -> ApiError:
    return bad_request(f"{prefix}{describe_mistype(value, f'struct field {place} of type {wanted}')}")


def _read_body(call: Call) -> dict[str, Any] | None:
    """Returns the options in a body, None without a body."""
    if not call.body:
        return None
    try:
        found, _, _ = decode_body(call)
    except BodyError as problem:
        raise bad_request(str(problem)) from None
    if not isinstance(found, dict):
        raise bad_request("decoded object cannot be converted to DeleteOptions")
    _check_types(found)
    kind = found.get("kind") or "DeleteOptions"
    if kind != "DeleteOptions":
        version = found.get("apiVersion") or ""
        scheme = "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27"
        raise bad_request(
            f"no kind {go_quote(kind)} is registered for version {go_quote(version)} in scheme {go_quote(scheme)}"
        )
    return found
