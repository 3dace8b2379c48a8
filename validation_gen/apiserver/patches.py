"""Patches of all types, and applied configurations, as changes of an object.

Source of the behaviour: `pkg/endpoints/handlers/patch.go` of `k8s.io/apiserver`. `patching.py` and
`kubernetes/strategicmerge.py` have the operations.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from validation_gen.apiserver.bodies import (
    MAP,
    BodyError,
    check_type,
    describe_mistype,
    parse_json,
    read_yaml,
    report_slips,
)
from validation_gen.apiserver.calls import Call, find_manager
from validation_gen.apiserver.decoding import OBJECT_NAMES, check_identity, has_other_version
from validation_gen.apiserver.errors import ApiError, bad_request, conflict, internal, invalid
from validation_gen.apiserver.patching import PatchError, json_patch, merge_patch
from validation_gen.apiserver.requests import WriteOptions
from validation_gen.kubernetes.crd.stored_metadata import to_stored_metadata
from validation_gen.kubernetes.managedfields import BadApplyError, TypeConflictError, conflict_causes, conflict_message
from validation_gen.kubernetes.managedfields import ConflictError as ApplyConflictError
from validation_gen.kubernetes.objects import UnsupportedRequestError
from validation_gen.kubernetes.objects.admission import Normalized
from validation_gen.kubernetes.objects.metadata import drop_duplicate_owners
from validation_gen.kubernetes.objects.outcome import DecodingError
from validation_gen.kubernetes.strategicmerge import METADATA, StrategicMergeError, merge_strategic
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.gotext import go_json, go_value, sort_members

JSON_PATCH, MERGE_PATCH, APPLY = (
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/apply-patch+yaml",
)
STRATEGIC_PATCH = "application/strategic-merge-patch+json"
PATCH_TYPES = (JSON_PATCH, MERGE_PATCH, APPLY)
#: Types of patches of resources that have no definition.
BUILTIN_PATCH_TYPES = (*PATCH_TYPES, STRATEGIC_PATCH)
_MOST_OPERATIONS = 10_000

_REJECTED = "the server rejected our request due to an error in our request"

#: Applies a patch. Returns the object, and its form in errors.
Patch = Callable[[Any], tuple[Any, Callable[[], str]]]
#: Changes an object: from the stored one, None for one that does not exist, to the one to be stored.
Transform = Callable[[Normalized | None], Normalized]


def read_patch(call: Call, options: WriteOptions, kind: str) -> tuple[Patch, list[str]]:
    """Returns the function that applies a patch, and the patch's duplicate and unknown fields."""
    slips: list[str] = []
    prefix = "" if kind == STRATEGIC_PATCH else "error decoding patch: "
    try:
        patch, duplicates = parse_json(call.body)
    except BodyError as problem:
        raise bad_request(f"{prefix}{problem}") from None
    if options.field_validation != "Ignore":
        what = "json patch " if kind == JSON_PATCH else ""
        slips = [f'{what}duplicate field "{path}"' for path in duplicates.paths(patch)]
    if kind == JSON_PATCH:
        _check_operations(patch, slips, strict=options.field_validation != "Ignore")
    elif patch is not None and not isinstance(patch, dict):
        raise bad_request(f"{prefix}{describe_mistype(patch, MAP)}")

    def patched(document: Any) -> tuple[Any, Callable[[], str]]:
        if kind == STRATEGIC_PATCH:
            return _merge(call, document, patch or {})
        try:
            found = json_patch(document, patch) if kind == JSON_PATCH else merge_patch(document, patch)
        except PatchError:
            raise ApiError(422, "Invalid", _REJECTED, {}) from None
        return found, lambda: go_json(sort_members(found))

    return patched, slips


def _merge(call: Call, document: dict[str, Any], patch: dict[str, Any]) -> tuple[Any, Callable[[], str]]:
    """Returns an object after a strategic merge patch, and a function that renders the patch for errors."""
    left = copy.deepcopy(patch)
    schema = call.resource.schema(call.version)
    own = {**schema, "properties": {**(schema.get("properties") or {}), "metadata": METADATA}}
    try:
        found = merge_strategic(document, left, own)
    except StrategicMergeError as problem:
        if problem.code == 400:
            raise bad_request(str(problem)) from None
        if problem.code == 422:
            raise ApiError(422, "Invalid", _REJECTED, {}) from None
        raise internal(str(problem)) from None
    return found, lambda: go_value(left)


def patch(call: Call, options: WriteOptions, kind: str) -> Transform:
    """Returns the change that a patch makes."""
    patched, slips = read_patch(call, options, kind)
    manager, stamp = find_manager(call, options), call.clock.stamp()
    fields = call.resource.fields(call.version, call.target.subresource)

    def transform(live: Normalized | None) -> Normalized:
        assert live is not None
        found, show = patched(live.object)
        sent = _decode_patch(call, found, options, slips, show)
        check_identity(call, sent.object.setdefault("metadata", {}))
        sent.object = fields.update(live.object, sent.object, manager, stamp)
        call.warnings += drop_duplicate_owners(sent.object["metadata"], patched=True)
        return sent

    return transform


def _decode_patch(call: Call, obj: Any, options: WriteOptions, slips: list[str], show: Callable[[], str]) -> Normalized:
    level = options.field_validation

    def refuse(problem: str) -> ApiError:
        return invalid_patch(show(), problem)

    try:
        check_type(obj, go_json(sort_members(obj)))
    except DecodingError as problem:
        raise refuse(str(problem)) from None
    if has_other_version(call, obj):
        names = OBJECT_NAMES
        if level == "Warn":
            call.warnings += [f'unknown field "{name}"' for name in sorted(obj) if name not in names]
        return Normalized({name: value for name, value in obj.items() if name in names})
    try:
        sent, unknown = call.resource.decode(call.version, obj, level, None)
    except DecodingError as problem:
        raise refuse(str(problem)) from None
    except (RecursionError, UnsupportedRequestError):
        raise refuse("exceeded max depth") from None
    report_slips(call, level, [*slips, *unknown], refuse)
    return sent


def apply(call: Call, options: WriteOptions) -> Transform:
    """Returns the change that an applied configuration makes; it may create the object."""
    config, problems = read_config(call)
    manager, stamp = options.field_manager, call.clock.stamp()
    fields = call.resource.fields(call.version, call.target.subresource)

    def transform(live: Normalized | None) -> Normalized:
        before = None if live is None else live.object
        found = run_apply(lambda: fields.apply(before, config, manager, stamp, force=options.force))
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
        check_identity(call, sent.object.setdefault("metadata", {}))
        call.warnings += drop_duplicate_owners(sent.object["metadata"], patched=True)
        return sent

    return transform


def read_config(call: Call) -> tuple[dict[str, Any], list[str]]:
    """Returns an applied configuration, and the problems of a strict decoder."""
    try:
        config, problems = read_yaml(call.body)
    except BodyError as problem:
        raise bad_request(f"error decoding YAML: error converting YAML to JSON: {problem}") from None
    if config is None:
        return {}, problems
    if not isinstance(config, dict):
        text = describe_mistype(config, MAP)
        raise bad_request(f"error decoding YAML: error unmarshaling JSON: while decoding JSON: {text}")
    return config, problems


def invalid_patch(shown: str, problem: str) -> ApiError:
    """Returns the refusal of a patch whose result cannot be decoded."""
    return invalid("", "", "", [FieldError.invalid("patch", shown, problem)])


def run_apply(apply: Callable[[], dict[str, Any]]) -> dict[str, Any]:
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


def _check_operations(patch: Any, slips: list[str], *, strict: bool) -> None:
    if not isinstance(patch, list):
        raise bad_request(f"error decoding patch: {describe_mistype(patch, 'value of type []handlers.jsonPatchOp')}")
    if len(patch) > _MOST_OPERATIONS:
        text = f"The allowed maximum operations in a JSON patch is {_MOST_OPERATIONS}, got {len(patch)}"
        raise ApiError(413, "RequestEntityTooLarge", f"Request entity too large: {text}")
    for index, operation in enumerate(patch):
        if not isinstance(operation, dict):
            problem = describe_mistype(operation, "value of type handlers.jsonPatchOp")
            raise bad_request(f"error decoding patch: {problem}")
        if strict:
            unknown = [key for key in operation if key not in ("op", "path", "from", "value")]
            slips += [f'json patch unknown field "[{index}].{key}"' for key in unknown]
