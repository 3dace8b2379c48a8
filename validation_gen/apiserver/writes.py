"""Creates, updates and patches.

Sources of the behaviour: `pkg/endpoints/handlers/{create,update,patch}.go` and
`pkg/registry/generic/registry/store.go` of `k8s.io/apiserver`.
"""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Callable
from typing import Any

from validation_gen.apiserver.bodies import (
    BodyError,
    check_kind,
    check_type,
    json_problem,
    read_object,
    read_yaml,
    unreadable,
)
from validation_gen.apiserver.calls import Call, Response
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
from validation_gen.apiserver.negotiation import encode_json, input_type, unsupported_media_type
from validation_gen.apiserver.patching import PatchError, json_patch, merge_patch
from validation_gen.apiserver.requests import WriteOptions, write_options
from validation_gen.apiserver.resources import CustomResource
from validation_gen.apiserver.scaling import decode_scale, get_scale
from validation_gen.apiserver.storage import ConflictError, Entry, Store
from validation_gen.kubernetes.crd.stored_metadata import to_stored_metadata
from validation_gen.kubernetes.managedfields import (
    BadApplyError,
    FieldManager,
    TypeConflictError,
    conflict_causes,
    conflict_message,
)
from validation_gen.kubernetes.managedfields import ConflictError as ApplyConflictError
from validation_gen.kubernetes.objects import Duplicates, UnsupportedRequestError, read_json
from validation_gen.kubernetes.objects.admission import Normalized
from validation_gen.kubernetes.objects.metadata import drop_duplicate_owners
from validation_gen.kubernetes.objects.outcome import DecodingError, Outcome
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.gotext import go_json
from validation_gen.runtime.wire import identical

JSON_PATCH, MERGE_PATCH, APPLY = (
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/apply-patch+yaml",
)
STRATEGIC_PATCH = "application/strategic-merge-patch+json"
PATCH_TYPES = (JSON_PATCH, MERGE_PATCH, APPLY)
#: Message of a write that another one has overtaken.
STALE = "the object has been modified; please apply your changes to the latest version and try again"
#: Limits of a body and of a stored object, in bytes; those of the API server and of etcd.
MOST_BODY, MOST_STORED = 3 * 1024 * 1024, 1536 * 1024
_MOST_OPERATIONS = 10_000
_ATTEMPTS = 5
_LETTERS = "bcdfghjklmnpqrstvwxz2456789"
_LONGEST_BASE = 58
_SYSTEM = (
    *("uid", "resourceVersion", "creationTimestamp", "generation", "selfLink"),
    *("deletionTimestamp", "deletionGracePeriodSeconds"),
)

Transform = Callable[[Normalized | None], Normalized]


def find_manager(call: Call, options: WriteOptions) -> str:
    """Returns the name of the field manager: the given one, or the beginning of the user agent."""
    if options.field_manager:
        return options.field_manager
    name = call.headers.get("user-agent", "").split("/")[0]
    return "".join(char for char in name if char.isprintable())[:128]


def stored_bytes(obj: dict[str, Any]) -> bytes:
    """Returns an object as it is stored, without its resource version."""
    meta = {name: value for name, value in obj["metadata"].items() if name != "resourceVersion"}
    return json.dumps({**obj, "metadata": meta}, separators=(",", ":"), ensure_ascii=False, sort_keys=True).encode()


def stored_object(entry: Entry) -> dict[str, Any]:
    """Returns a stored object with its resource version."""
    obj: dict[str, Any] = json.loads(entry.value)
    obj["metadata"]["resourceVersion"] = str(entry.revision)
    return obj


class Writer:
    """Writes of objects to a store.

    Args:
        store: the store.
        key_prefix: the beginning of keys in the server's messages.
    """

    def __init__(self, store: Store, key_prefix: str) -> None:
        self.store = store
        self.key_prefix = key_prefix

    # --- verbs --------------------------------------------------------------------------------------------------------

    async def create(self, call: Call) -> Response:
        """Creates an object.

        Raises:
            ApiError: the request is refused.
        """
        input_type(call.headers.get("content-type"))
        options = write_options("CreateOptions", call.query)
        obj, duplicates, problems = read_object(call)
        sent = self._decoded(call, obj, duplicates, problems, options)
        meta = sent.object.setdefault("metadata", {})
        if call.target.name and meta.get("name", call.target.name) != call.target.name:
            text = f"the name of the object ({meta['name']}) does not match the name on the URL ({call.target.name})"
            raise bad_request(text)
        for name in _SYSTEM:
            if name != "resourceVersion":
                meta.pop(name, None)
        self._check_namespace(call, meta)
        if meta.pop("resourceVersion", None):
            raise internal("resourceVersion should not be set on objects to be created")
        call.warnings += drop_duplicate_owners(meta)
        fields = call.resource.fields(call.version, "")
        stamp = call.clock.stamp()
        sent.object = fields.update(None, sent.object, find_manager(call, options), stamp)
        return Response(201, await self._insert(call, sent, options, stamp))

    async def update(self, call: Call) -> Response:
        """Replaces an object, or one of its subresources.

        Raises:
            ApiError: the request is refused.
        """
        _check_named(call)
        options = write_options("UpdateOptions", call.query)
        obj, duplicates, problems = read_object(call)
        if call.target.subresource == "scale":
            return await self._update_scale(call, obj, options)
        sent = self._decoded(call, obj, duplicates, problems, options)
        meta = sent.object.setdefault("metadata", {})
        self._check_namespace(call, meta)
        self._check_name(call, meta)
        call.warnings += drop_duplicate_owners(meta)
        manager, stamp = find_manager(call, options), call.clock.stamp()
        fields = call.resource.fields(call.version, call.target.subresource)
        frozen = json.dumps(sent.object)

        def transform(live: Normalized | None) -> Normalized:
            assert live is not None
            new = json.loads(frozen)
            return Normalized(fields.update(live.object, new, manager, stamp), sent.is_valid)

        found, _ = await self.change(call, transform, options, uid=meta.get("uid") or "")
        return Response(200, found)

    async def patch(self, call: Call) -> Response:
        """Patches an object, or one of its subresources; an apply may create it.

        Raises:
            ApiError: the request is refused.
        """
        kind = call.headers.get("content-type", "").partition(";")[0]
        known = PATCH_TYPES if isinstance(call.resource, CustomResource) else (*PATCH_TYPES, STRATEGIC_PATCH)
        if kind not in known:
            raise unsupported_media_type(known)
        _check_named(call)
        options = write_options("PatchOptions", call.query, applies=kind == APPLY)
        if kind == APPLY and call.target.subresource == "scale":
            transform = self._apply_scale(call, options)
        elif kind == APPLY:
            transform = self._apply(call, options)
        else:
            transform = self._patch(call, options, kind)
        found, created = await self.change(call, transform, options, creates=kind == APPLY)
        if call.target.subresource == "scale":
            found = get_scale(found, call.version.scale)
        return Response(201 if created else 200, found)

    # --- bodies -------------------------------------------------------------------------------------------------------

    def _decoded(
        self, call: Call, obj: Any, duplicates: Duplicates | None, problems: list[str], options: WriteOptions
    ) -> Normalized:
        check_kind(call, obj)
        wanted = call.version.api_version
        level = options.field_validation
        if obj.get("apiVersion") != wanted or obj["kind"] != call.resource.names.kind:
            return self._decoded_other(call, obj, duplicates, options)
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

    def _decoded_other(
        self, call: Call, obj: dict[str, Any], duplicates: Duplicates | None, options: WriteOptions
    ) -> Normalized:
        """Decodes an object of another version, which is refused, or of another kind, which is refused later."""
        wanted = call.version.api_version
        if (obj.get("apiVersion") or "") != wanted:
            if _has_other_version(call, obj) and options.field_validation == "Warn":
                names = [name for name in sorted(obj) if name not in _OBJECT_NAMES]
                call.warnings += [f'unknown field "{name}"' for name in names]
            found = obj.get("apiVersion") or ""
            raise bad_request(
                f"the API version in the data ({found}) does not match the expected API version ({wanted})"
            )
        try:
            sent, slips = call.resource.decode(call.version, obj, options.field_validation, duplicates)
        except DecodingError as problem:
            raise unreadable(call, obj, str(problem)) from None
        call.warnings += slips
        return sent

    # --- scale --------------------------------------------------------------------------------------------------------

    async def _update_scale(self, call: Call, obj: Any, options: WriteOptions) -> Response:
        check_kind(call, obj)
        try:
            sent, unknown = decode_scale(obj)
        except DecodingError as problem:
            raise unreadable(call, obj, str(problem)) from None
        slips = [f'unknown field "{path}"' if not path.startswith("unknown") else path for path in unknown]
        if slips and options.field_validation == "Strict":
            raise unreadable(call, obj, f"strict decoding error: {', '.join(slips)}")
        if options.field_validation == "Warn":
            call.warnings += slips
        meta = sent["metadata"]
        self._check_namespace(call, meta)
        self._check_name(call, meta)
        manager, stamp = find_manager(call, options), call.clock.stamp()

        def write(fields: FieldManager, live: dict[str, Any]) -> dict[str, Any]:
            return fields.update(live, sent, manager, stamp)

        transform = self._scale_transform(call, write)
        found, _ = await self.change(call, transform, options, uid=meta.get("uid") or "")
        return Response(200, get_scale(found, call.version.scale))

    def _scale_transform(
        self, call: Call, write: Callable[[FieldManager, dict[str, Any]], dict[str, Any]]
    ) -> Transform:
        fields = call.resource.scale_fields(call.version)

        def transform(live: Normalized | None) -> Normalized:
            assert live is not None
            return Normalized(fields.updated(live.object, write))

        return transform

    def _patch_scale(self, call: Call, options: WriteOptions, apply: Callable[[Any], Any]) -> Transform:
        manager, stamp = find_manager(call, options), call.clock.stamp()

        def write(fields: FieldManager, live: dict[str, Any]) -> dict[str, Any]:
            found = apply(live)
            try:
                check_type(found)
                sent, unknown = decode_scale(found)
            except DecodingError as problem:
                raise _invalid_patch(found, str(problem), ordered=False) from None
            if unknown and options.field_validation == "Strict":
                raise _invalid_patch(found, f"strict decoding error: {', '.join(unknown)}")
            if options.field_validation == "Warn":
                call.warnings.extend(unknown)
            self._check_namespace(call, sent["metadata"])
            self._check_name(call, sent["metadata"])
            return fields.update(live, sent, manager, stamp)

        return self._scale_transform(call, write)

    def _apply_scale(self, call: Call, options: WriteOptions) -> Transform:
        config, _ = self._read_config(call)
        manager, stamp = options.field_manager, call.clock.stamp()

        def write(fields: FieldManager, live: dict[str, Any]) -> dict[str, Any]:
            _applied(lambda: fields.apply(live, config, manager, stamp, force=options.force))
            # The server fails here, too: it converts the scale as if it were the object.
            text = (
                f"failed to convert new object (/{call.target.name}; autoscaling/v1, Kind=Scale) to proper version: "
                "request to convert CR to an invalid group/version: autoscaling/v1"
            )
            raise internal(text)

        return self._scale_transform(call, write)

    # --- names --------------------------------------------------------------------------------------------------------

    def _check_namespace(self, call: Call, meta: dict[str, Any]) -> None:
        if not call.resource.namespaced:
            meta.pop("namespace", None)
            return
        if meta.get("namespace", call.target.namespace) != call.target.namespace:
            raise bad_request("the namespace of the provided object does not match the namespace sent on the request")
        meta["namespace"] = call.target.namespace

    def _check_name(self, call: Call, meta: dict[str, Any]) -> None:
        name, own = call.target.name, meta.get("name") or ""
        if not own:
            text = f"the name of the object ({name} based on URL) was undeterminable: name must be provided"
            raise bad_request(text)
        if own != name:
            raise bad_request(f"the name of the object ({own}) does not match the name on the URL ({name})")

    # --- patches ------------------------------------------------------------------------------------------------------

    def _patch(self, call: Call, options: WriteOptions, kind: str) -> Transform:
        slips: list[str] = []
        try:
            patch, duplicates = read_json(call.body)
        except RecursionError:
            raise bad_request("error decoding patch: exceeded max depth") from None
        except ValueError as problem:
            raise bad_request(f"error decoding patch: {json_problem(call.body, problem)}") from None
        if options.field_validation != "Ignore":
            prefix = "json patch " if kind == JSON_PATCH else ""
            slips = [f'{prefix}duplicate field "{path}"' for path in duplicates.paths(patch)]
        if kind == JSON_PATCH:
            _check_operations(patch, slips, strict=options.field_validation != "Ignore")
        elif not isinstance(patch, dict):
            name = {list: "array", str: "string", bool: "bool"}.get(type(patch), "number")
            if patch is not None:
                text = f"json: cannot unmarshal {name} into Go value of type map[string]interface {{}}"
                raise bad_request(f"error decoding patch: {text}")
        manager, stamp = find_manager(call, options), call.clock.stamp()
        fields = call.resource.fields(call.version, call.target.subresource)

        def patched(document: Any) -> Any:
            try:
                return json_patch(document, patch) if kind == JSON_PATCH else merge_patch(document, patch)
            except PatchError:
                text = "the server rejected our request due to an error in our request"
                raise ApiError(422, "Invalid", text, {}) from None

        if call.target.subresource == "scale":
            return self._patch_scale(call, options, patched)

        def transform(live: Normalized | None) -> Normalized:
            assert live is not None
            found = patched(live.object)
            sent = self._decoded_patch(call, found, options, slips)
            self._check_patched(call, sent.object)
            sent.object = fields.update(live.object, sent.object, manager, stamp)
            call.warnings += drop_duplicate_owners(sent.object["metadata"], patched=True)
            return sent

        return transform

    def _decoded_patch(self, call: Call, obj: Any, options: WriteOptions, slips: list[str]) -> Normalized:
        level = options.field_validation

        def refuse(problem: str) -> ApiError:
            return _invalid_patch(obj, problem)

        try:
            check_type(obj, go_json(_ordered(obj)))
        except DecodingError as problem:
            raise refuse(str(problem)) from None
        if _has_other_version(call, obj):
            names = _OBJECT_NAMES
            if level == "Warn":
                call.warnings += [f'unknown field "{name}"' for name in sorted(obj) if name not in names]
            return Normalized({name: value for name, value in obj.items() if name in names})
        try:
            sent, unknown = call.resource.decode(call.version, obj, level, None)
        except DecodingError as problem:
            raise refuse(str(problem)) from None
        except (RecursionError, UnsupportedRequestError):
            raise refuse("exceeded max depth") from None
        found = [*slips, *unknown]
        if found and level == "Strict":
            raise refuse(f"strict decoding error: {', '.join(found)}")
        if level == "Warn":
            call.warnings += found
        return sent

    def _check_patched(self, call: Call, obj: dict[str, Any]) -> None:
        meta = obj.setdefault("metadata", {})
        self._check_namespace(call, meta)
        self._check_name(call, meta)

    def _apply(self, call: Call, options: WriteOptions) -> Transform:
        config, problems = self._read_config(call)
        manager, stamp = options.field_manager, call.clock.stamp()
        fields = call.resource.fields(call.version, call.target.subresource)

        def transform(live: Normalized | None) -> Normalized:
            before = None if live is None else live.object
            found = _applied(lambda: fields.apply(before, config, manager, stamp, force=options.force))
            if problems and options.field_validation == "Strict":
                text = f"yaml: unmarshal errors:\n  {problems[0]}"
                raise bad_request(f"error strict decoding YAML: error converting YAML to JSON: {text}")
            if options.field_validation == "Warn":
                call.warnings += problems
            if live is None and (found.get("metadata") or {}).get("uid"):
                uid = found["metadata"]["uid"]
                text = f"uid mismatch: the provided object specified uid {uid}, and no existing object was found"
                raise conflict(*call.qualified, call.target.name, text)
            sent = Normalized({**found, "metadata": to_stored_metadata(found.get("metadata") or {}, lenient=True)})
            self._check_patched(call, sent.object)
            call.warnings += drop_duplicate_owners(sent.object["metadata"], patched=True)
            return sent

        return transform

    @staticmethod
    def _read_config(call: Call) -> tuple[dict[str, Any], list[str]]:
        """Returns an applied configuration, and the problems of a strict decoder."""
        try:
            config, problems = read_yaml(call.body)
        except BodyError as problem:
            raise bad_request(f"error decoding YAML: error converting YAML to JSON: {problem}") from None
        if config is None:
            return {}, problems
        if not isinstance(config, dict):
            name = {list: "array", str: "string", bool: "bool"}.get(type(config), "number")
            text = f"json: cannot unmarshal {name} into Go value of type map[string]interface {{}}"
            raise bad_request(f"error decoding YAML: error unmarshaling JSON: while decoding JSON: {text}")
        return config, problems

    # --- storing ------------------------------------------------------------------------------------------------------

    async def _insert(self, call: Call, sent: Normalized, options: WriteOptions, stamp: str) -> dict[str, Any]:
        meta = sent.object["metadata"]
        generated = bool(meta.get("generateName")) and not meta.get("name")
        if generated:
            suffix = "".join(random.choices(_LETTERS, k=5))  # noqa: S311 - a name, not a secret
            meta["name"] = meta["generateName"][:_LONGEST_BASE] + suffix
        if call.resource.terminating:
            text = "create not allowed while custom resource definition is terminating"
            raise forbidden(*call.qualified, meta.get("name") or "", text)
        name = meta.get("name") or ""
        outcome = self._admitted(call, sent, None, "")
        found = outcome.object
        assert found is not None
        its = found["metadata"]
        its["uid"], its["creationTimestamp"], its["generation"] = str(uuid.uuid4()), stamp, 1
        value = await call.resource.run(self._value, call, found)
        key = call.make_key(name)
        if options.dry_run:
            if await self.store.get(key) is not None:
                raise await self._existing(call, key, name)
            return found
        try:
            revision = await self.store.put(key, value, 0)
        except ConflictError:
            raise await self._existing(call, key, name) from None
        its["resourceVersion"] = str(revision)
        return await call.resource.run(_written, call, found, value)

    async def _existing(self, call: Call, key: str, name: str) -> ApiError:
        """Returns the refusal of a create whose name is taken."""
        problem = already_exists(*call.qualified, name)
        entry = await self.store.get(key)
        if entry is not None and stored_object(entry)["metadata"].get("deletionTimestamp"):
            problem.message = f"object is being deleted: {problem.message}"
        return problem

    def _value(self, call: Call, obj: dict[str, Any]) -> bytes:
        value = stored_bytes(call.resource.to_storage(obj))
        if len(value) > MOST_STORED:
            raise internal("etcdserver: request is too large")
        return value

    def _admitted(self, call: Call, sent: Normalized, old: Normalized | None, subresource: str) -> Outcome:
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
        """Changes a stored object, again if another write comes between.

        Returns:
            The object, and whether it was created.

        Raises:
            ApiError: the request is refused.
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
        before, found, value = await call.resource.run(self._changed, call, entry, transform, uid)
        if value == entry.value or identical(json.loads(value), json.loads(entry.value)) or options.dry_run:
            return found
        meta = found["metadata"]
        if before["metadata"].get("deletionTimestamp") and not meta.get("finalizers"):
            await self.store.delete(entry.key, entry.revision)
            return found
        meta["resourceVersion"] = str(await self.store.put(entry.key, value, entry.revision))
        return await call.resource.run(_written, call, found, value)

    def _changed(
        self, call: Call, entry: Entry, transform: Transform, uid: str
    ) -> tuple[dict[str, Any], dict[str, Any], bytes]:
        """Returns an object before a change and after it, and the new value in the store."""
        stored = stored_object(entry)
        live = call.resource.load(call.version, stored)
        known = live.object["metadata"].get("uid") or ""
        if uid and uid != known:
            raise conflict(*call.qualified, call.target.name, self._uid_problem(call, uid, known))
        before = {**live.object, "metadata": dict(live.object["metadata"])}
        sent = transform(live)
        self._check_revision(call, sent.object["metadata"], entry.revision)
        subresource = "" if call.target.subresource == "scale" else call.target.subresource
        outcome = self._admitted(call, sent, live, subresource)
        found = outcome.object
        assert found is not None
        meta = found["metadata"]
        _keep_times(meta, before["metadata"], found, before)
        meta["resourceVersion"] = str(entry.revision)
        return before, found, self._value(call, found)

    def _check_revision(self, call: Call, meta: dict[str, Any], revision: int) -> None:
        sent = meta.get("resourceVersion") or ""
        if not sent or sent == "0":
            error = FieldError.invalid("metadata.resourceVersion", 0, "must be specified for an update")
            raise invalid(call.resource.group, call.resource.resource, call.target.name, [error])
        if sent != str(revision):
            raise conflict(*call.qualified, call.target.name, STALE)

    def _uid_problem(self, call: Call, uid: str, known: str) -> str:
        return (
            f"StorageError: invalid object, Code: 4, Key: {self.key_prefix}{call.key}, ResourceVersion: 0, "
            f"AdditionalErrorMsg: Precondition failed: UID in precondition: {uid}, UID in object meta: {known}"
        )


def _written(call: Call, obj: dict[str, Any], value: bytes) -> dict[str, Any]:
    """Returns an object as clients see it after a write: as a webhook converts it back, if there is one."""
    if not isinstance(call.resource, CustomResource) or call.resource.converter is None:
        return obj
    return call.resource.load(
        call.version, stored_object(Entry("", value, int(obj["metadata"]["resourceVersion"])))
    ).object


#: Fields of every object.
_OBJECT_NAMES = ("apiVersion", "kind", "metadata")


def _check_named(call: Call) -> None:
    if not call.target.name:
        raise bad_request("name must be provided")


def _has_other_version(call: Call, obj: dict[str, Any]) -> bool:
    """Returns whether an object has a version of its group that the kind does not have."""
    if not isinstance(call.resource, CustomResource):
        return False
    version = str(obj.get("apiVersion") or "")
    group = version.rpartition("/")[0]
    known = version.rpartition("/")[2] in call.resource.versions
    return group == call.resource.group and obj.get("kind") == call.resource.names.kind and not known


def _invalid_patch(obj: Any, problem: str, *, ordered: bool = True) -> ApiError:
    shown = go_json(_ordered(obj) if ordered else obj)
    return invalid("", "", "", [FieldError.invalid("patch", shown, problem)])


def _ordered(value: Any) -> Any:
    """Returns a value with members in the order of their names."""
    if isinstance(value, dict):
        return {name: _ordered(value[name]) for name in sorted(value)}
    return [_ordered(item) for item in value] if isinstance(value, list) else value


def _applied(apply: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Runs an apply, and turns its errors into refusals."""
    try:
        return apply()
    except BadApplyError as problem:
        raise bad_request(str(problem)) from None
    except TypeConflictError as problem:
        raise internal(str(problem)) from None
    except ApplyConflictError as problem:
        details = {"causes": conflict_causes(problem)}
        raise ApiError(409, "Conflict", conflict_message(problem), details) from None


def _keep_times(meta: dict[str, Any], known: dict[str, Any], new: dict[str, Any], old: dict[str, Any]) -> None:
    """Restores the times of managers if nothing else has changed.

    Source of the behaviour: `IgnoreManagedFieldsTimestampsTransformer`.
    """
    mine, its = meta.get("managedFields"), known.get("managedFields")
    if not mine or not its or mine == its:
        return

    def without_times(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
        found = [{name: value for name, value in entry.items() if name != "time"} for entry in entries]
        return sorted(found, key=lambda entry: json.dumps(entry, sort_keys=True))

    def rest(obj: dict[str, Any]) -> dict[str, Any]:
        own = {k: v for k, v in obj["metadata"].items() if k not in ("managedFields", "resourceVersion")}
        return {**obj, "metadata": own}

    if without_times(mine) == without_times(its) and identical(rest(new), rest(old)):
        meta["managedFields"] = its


def _check_operations(patch: Any, slips: list[str], *, strict: bool) -> None:
    if not isinstance(patch, list):
        name = {dict: "object", str: "string", bool: "bool", type(None): "null"}.get(type(patch), "number")
        raise bad_request(
            f"error decoding patch: json: cannot unmarshal {name} into Go value of type []handlers.jsonPatchOp"
        )
    if len(patch) > _MOST_OPERATIONS:
        text = f"The allowed maximum operations in a JSON patch is {_MOST_OPERATIONS}, got {len(patch)}"
        raise ApiError(413, "RequestEntityTooLarge", f"Request entity too large: {text}")
    for index, operation in enumerate(patch):
        if not isinstance(operation, dict):
            name = {list: "array", str: "string", bool: "bool", type(None): "null"}.get(type(operation), "number")
            raise bad_request(
                f"error decoding patch: json: cannot unmarshal {name} into Go value of type handlers.jsonPatchOp"
            )
        if strict:
            unknown = [key for key in operation if key not in ("op", "path", "from", "value")]
            slips += [f'json patch unknown field "[{index}].{key}"' for key in unknown]


__all__ = ["MOST_BODY", "PATCH_TYPES", "Writer", "encode_json", "stored_bytes", "stored_object"]
