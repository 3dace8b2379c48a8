"""Creates, updates and patches: the steps from a request to the store.

`patches.py` applies patches; `scale_writes.py` changes the scale of an object.
Sources of the behaviour: `pkg/endpoints/handlers/{create,update,patch}.go` and
`pkg/registry/generic/registry/store.go` of `k8s.io/apiserver`.
"""

from __future__ import annotations

import json
import random
import uuid
from typing import TYPE_CHECKING, Any

from validation_gen.apiserver.bodies import read_object
from validation_gen.apiserver.calls import Call, Response, find_manager
from validation_gen.apiserver.decoding import check_identity, check_namespace, decode_sent
from validation_gen.apiserver.errors import (
    ApiError,
    already_exists,
    bad_request,
    conflict,
    forbidden,
    internal,
    invalid,
    not_found,
)
from validation_gen.apiserver.negotiation import input_type, make_unsupported_media_type
from validation_gen.apiserver.patches import APPLY, BUILTIN_PATCH_TYPES, PATCH_TYPES, Transform, apply, patch
from validation_gen.apiserver.requests import WriteOptions, write_options
from validation_gen.apiserver.resources import CustomResource
from validation_gen.apiserver.scale_writes import apply_scale, patch_scale, replace_scale
from validation_gen.apiserver.scaling import get_scale, show_scale
from validation_gen.apiserver.storage import ConflictError, Entry, Store
from validation_gen.kubernetes.managedfields import keep_times
from validation_gen.kubernetes.objects import UnsupportedRequestError
from validation_gen.kubernetes.objects.admission import Normalized
from validation_gen.kubernetes.objects.metadata import drop_duplicate_owners
from validation_gen.kubernetes.objects.outcome import DecodingError, Outcome
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.wire import identical

if TYPE_CHECKING:
    from validation_gen.apiserver.core.namespaces import Namespaces

#: Message of a write that another one has overtaken.
STALE = "the object has been modified; please apply your changes to the latest version and try again"
#: Limits of a body and of a stored object, in bytes; those of the API server and of etcd.
MOST_BODY, MOST_STORED = 3 * 1024 * 1024, 1536 * 1024
#: Greatest depth of a stored object, so that it can be read and changed again.
MOST_DEPTH = 256
_ATTEMPTS = 5
_LETTERS = "bcdfghjklmnpqrstvwxz2456789"
_LONGEST_BASE = 58
_SYSTEM = (
    *("uid", "resourceVersion", "creationTimestamp", "generation", "selfLink"),
    *("deletionTimestamp", "deletionGracePeriodSeconds"),
)


def is_deeper(value: Any, depth: int) -> bool:
    """Returns whether values are nested deeper."""
    level = [value]
    while level and depth >= 0:
        found: list[Any] = []
        for each in level:
            if isinstance(each, dict):
                found += each.values()
            elif isinstance(each, list):
                found += each
        level, depth = found, depth - 1
    return any(isinstance(each, dict | list) for each in level)


def encode_object(obj: dict[str, Any]) -> bytes:
    """Returns an object as it is stored, without its resource version."""
    meta = {name: value for name, value in obj["metadata"].items() if name != "resourceVersion"}
    return json.dumps({**obj, "metadata": meta}, separators=(",", ":"), ensure_ascii=False, sort_keys=True).encode()


def decode_object(entry: Entry) -> dict[str, Any]:
    """Returns a stored object with its resource version."""
    obj: dict[str, Any] = json.loads(entry.value)
    obj["metadata"]["resourceVersion"] = str(entry.revision)
    return obj


class Writer:
    """Writes of objects to a store.

    Args:
        key_prefix: the beginning of keys in the server's messages.
        namespaces: where objects are created.
    """

    def __init__(self, store: Store, key_prefix: str, namespaces: Namespaces) -> None:
        self.store = store
        self.key_prefix = key_prefix
        self.namespaces = namespaces

    # --- verbs --------------------------------------------------------------------------------------------------------

    async def create(self, call: Call) -> Response:
        """Creates an object."""
        input_type(call.headers.get("content-type"), protobuf=call.resource.reads_protobuf)
        options = write_options("CreateOptions", call.query)
        sent = decode_sent(call, *read_object(call), options)
        meta = sent.object.setdefault("metadata", {})
        name = call.target.name
        if name and meta.get("name", name) != name:
            raise bad_request(f"the name of the object ({meta['name']}) does not match the name on the URL ({name})")
        revision = meta.get("resourceVersion")
        for field in _SYSTEM:
            meta.pop(field, None)
        check_namespace(call, meta)
        if revision:
            raise internal("resourceVersion should not be set on objects to be created")
        call.warnings += drop_duplicate_owners(meta)
        fields = call.resource.fields(call.version, "")
        stamp = call.clock.stamp()
        sent.object = fields.update(None, sent.object, find_manager(call, options), stamp)
        return Response(201, await self._insert(call, sent, options, stamp))

    async def update(self, call: Call) -> Response:
        """Replaces an object, or one of its subresources."""
        _check_named(call)
        options = write_options("UpdateOptions", call.query)
        replace = replace_scale if call.target.subresource == "scale" else _replace
        transform, uid = replace(call, options)
        creates = call.resource.creates_on_update
        found, created = await self.change(call, transform, options, uid=uid, creates=creates)
        return Response(201 if created else 200, _to_response(call, found))

    async def patch(self, call: Call) -> Response:
        """Patches an object, or one of its subresources; an apply may create it."""
        kind = call.headers.get("content-type", "").partition(";")[0]
        known = PATCH_TYPES if isinstance(call.resource, CustomResource) else BUILTIN_PATCH_TYPES
        if kind not in known:
            raise make_unsupported_media_type(known)
        _check_named(call)
        options = write_options("PatchOptions", call.query, applies=kind == APPLY)
        if call.target.subresource == "scale":
            transform = apply_scale(call, options) if kind == APPLY else patch_scale(call, options, kind)
        else:
            transform = apply(call, options) if kind == APPLY else patch(call, options, kind)
        found, created = await self.change(call, transform, options, creates=kind == APPLY)
        return Response(201 if created else 200, _to_response(call, found))

    # --- storing ------------------------------------------------------------------------------------------------------

    async def _insert(self, call: Call, sent: Normalized, options: WriteOptions, stamp: str) -> dict[str, Any]:
        meta = sent.object["metadata"]
        if call.resource.terminating:
            text = "create not allowed while custom resource definition is terminating"
            raise forbidden(*call.qualified, meta.get("name") or "", text)
        self.namespaces.check_create(call, meta)
        found, value = await call.run(self._create, call, sent, stamp)
        its = found["metadata"]
        name = its["name"]
        key = f"{call.prefix}{name}"
        if options.dry_run:
            if await self.store.get(key) is not None:
                raise await self._existing(call, key, name)
            return found
        await self.namespaces.provide(call, meta)
        try:
            revision = await self.store.put(key, value, 0)
        except ConflictError:
            raise await self._existing(call, key, name) from None
        its["resourceVersion"] = str(revision)
        await self.namespaces.complete(call, name)
        return await call.resource.run(_convert_for_client, call, found, value)

    def _create(self, call: Call, sent: Normalized, stamp: str) -> tuple[dict[str, Any], bytes]:
        """Returns a new object, and its value in the store."""
        sent = _mutate(call, sent, None, call.target.name or sent.object["metadata"].get("name") or "")
        meta = sent.object["metadata"]
        if meta.get("generateName") and not meta.get("name"):
            suffix = "".join(random.choices(_LETTERS, k=5))  # noqa: S311 - a name, not a secret
            meta["name"] = meta["generateName"][:_LONGEST_BASE] + suffix
        found = self._admit(call, sent, None, "").object
        assert found is not None
        its = found["metadata"]
        its["uid"], its["creationTimestamp"] = str(uuid.uuid4()), stamp
        if call.resource.has_generation:
            its["generation"] = 1
        if call.review is not None:
            call.review.validate(found, None, its["name"])
        return found, self._value(call, found)

    async def _existing(self, call: Call, key: str, name: str) -> ApiError:
        """Returns the error of a create for an existing name."""
        problem = already_exists(*call.qualified, name)
        entry = await self.store.get(key)
        if entry is not None and decode_object(entry)["metadata"].get("deletionTimestamp"):
            problem.message = f"object is being deleted: {problem.message}"
        return problem

    def _value(self, call: Call, obj: dict[str, Any]) -> bytes:
        value = encode_object(call.resource.to_storage(obj))
        if len(value) > MOST_STORED:
            raise internal("etcdserver: request is too large")
        if value.count(b"{") + value.count(b"[") > MOST_DEPTH and is_deeper(obj, MOST_DEPTH):
            raise bad_request("exceeded max depth")
        return value

    def _admit(self, call: Call, sent: Normalized, old: Normalized | None, subresource: str) -> Outcome:
        kind = str(sent.object.get("kind") or "")
        name = str((sent.object.get("metadata") or {}).get("name") or "")
        try:
            outcome = call.resource.admit(call.version, sent, old, subresource)
        except (DecodingError, UnsupportedRequestError) as problem:
            raise internal(str(problem)) from None
        if outcome.errors:
            raise invalid(call.resource.group, kind, name, outcome.errors)
        call.warnings += outcome.warnings
        return outcome

    async def change(
        self, call: Call, transform: Transform, options: WriteOptions, *, uid: str = "", creates: bool = False
    ) -> tuple[dict[str, Any], bool]:
        """Changes a stored object, and retries after a concurrent write.

        Returns:
            The object, and whether it was created.
        """
        warnings = list(call.warnings)
        for _ in range(_ATTEMPTS):
            call.warnings[:] = warnings
            entry = await self.store.get(call.key)
            if entry is None:
                if not creates or call.target.subresource:
                    raise not_found(*call.qualified, call.target.name)
                return await self._create_by_apply(call, transform, options), True
            try:
                return await self._change_once(call, entry, transform, options, uid), False
            except ConflictError:
                continue
        raise conflict(*call.qualified, call.target.name, STALE)

    async def _create_by_apply(self, call: Call, transform: Transform, options: WriteOptions) -> dict[str, Any]:
        stamp = call.clock.stamp()
        sent = transform(None)
        for name in _SYSTEM:
            sent.object["metadata"].pop(name, None)
        return await self._insert(call, sent, options, stamp)

    async def _change_once(
        self, call: Call, entry: Entry, transform: Transform, options: WriteOptions, uid: str
    ) -> dict[str, Any]:
        before, found, value = await call.run(self._change, call, entry, transform, uid)
        if value == entry.value or identical(json.loads(value), json.loads(entry.value)) or options.dry_run:
            return found
        meta = found["metadata"]
        if before["metadata"].get("deletionTimestamp") and call.resource.is_finished(found):
            await self.store.delete(entry.key, entry.revision)
            return found
        meta["resourceVersion"] = str(await self.store.put(entry.key, value, entry.revision))
        return await call.resource.run(_convert_for_client, call, found, value)

    def _change(
        self, call: Call, entry: Entry, transform: Transform, uid: str
    ) -> tuple[dict[str, Any], dict[str, Any], bytes]:
        """Returns an object before a change and after it, and the new value in the store."""
        stored = decode_object(entry)
        live = call.resource.load(call.version, stored)
        known = live.object["metadata"].get("uid") or ""
        if uid and uid != known:
            raise conflict(*call.qualified, call.target.name, self._uid_problem(call, uid, known))
        before = {**live.object, "metadata": dict(live.object["metadata"])}
        sent = transform(live)
        if call.target.subresource != "scale":
            sent = _mutate(call, sent, before, call.target.name)
        self._check_revision(call, sent.object["metadata"], entry.revision)
        subresource = "" if call.target.subresource == "scale" else call.target.subresource
        outcome = self._admit(call, sent, live, subresource)
        found = outcome.object
        assert found is not None
        keep_times(found, before)
        found["metadata"]["resourceVersion"] = str(entry.revision)
        if call.review is not None:
            shown = (found, before)
            if call.target.subresource == "scale":
                shown = (show_scale(found, call.version.scale), show_scale(before, call.version.scale))
            call.review.validate(*shown, call.target.name)
        return before, found, self._value(call, found)

    def _check_revision(self, call: Call, meta: dict[str, Any], revision: int) -> None:
        sent = meta.get("resourceVersion") or ""
        if sent in ("", "0"):
            if call.resource.updates_any_version:
                return
            error = FieldError.invalid("metadata.resourceVersion", 0, "must be specified for an update")
            raise invalid(call.resource.group, call.resource.resource, call.target.name, [error])
        if sent != str(revision):
            raise conflict(*call.qualified, call.target.name, STALE)

    def _uid_problem(self, call: Call, uid: str, known: str) -> str:
        key = f"{self.key_prefix}{call.resource.shown_prefix}{call.key.removeprefix(call.resource.prefix)}"
        return (
            f"StorageError: invalid object, Code: 4, Key: {key}, ResourceVersion: 0, "
            f"AdditionalErrorMsg: Precondition failed: UID in precondition: {uid}, UID in object meta: {known}"
        )


def _mutate(call: Call, sent: Normalized, old: dict[str, Any] | None, name: str) -> Normalized:
    """Lets policies and webhooks change an object that is about to be stored."""
    if call.review is None:
        return sent
    found = call.review.mutate(sent, old, name)
    check_namespace(call, found.object.setdefault("metadata", {}))
    call.warnings += drop_duplicate_owners(found.object["metadata"], patched=True)
    return found


def _convert_for_client(call: Call, obj: dict[str, Any], value: bytes) -> dict[str, Any]:
    """Returns an object as clients see it after a write: converted back by the webhook, if the kind has one."""
    if not isinstance(call.resource, CustomResource) or call.resource.converter is None:
        return obj
    return call.resource.load(
        call.version, decode_object(Entry("", value, int(obj["metadata"]["resourceVersion"])))
    ).object


def _to_response(call: Call, found: dict[str, Any]) -> dict[str, Any]:
    """Returns the answer to a change: the object, or its scale."""
    return get_scale(found, call.version.scale) if call.target.subresource == "scale" else found


def _replace(call: Call, options: WriteOptions) -> tuple[Transform, str]:
    """Returns the change of an update, and the uid that the object must have."""
    sent = decode_sent(call, *read_object(call), options)
    meta = sent.object.setdefault("metadata", {})
    check_identity(call, meta)
    call.warnings += drop_duplicate_owners(meta)
    manager, stamp = find_manager(call, options), call.clock.stamp()
    fields = call.resource.fields(call.version, call.target.subresource)
    frozen = json.dumps(sent.object)

    def transform(live: Normalized | None) -> Normalized:
        before, new = None if live is None else live.object, json.loads(frozen)
        return Normalized(fields.update(before, new, manager, stamp), sent.is_valid)

    return transform, meta.get("uid") or ""


def _check_named(call: Call) -> None:
    if not call.target.name:
        raise bad_request("name must be provided")
