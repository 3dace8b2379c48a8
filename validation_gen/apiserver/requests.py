"""Parses URLs of requests: the resource that they name, and their options.

Sources of the behaviour: `pkg/endpoints/request/requestinfo.go` of `k8s.io/apiserver`, `pkg/apis/meta/v1/validation`
and `pkg/apis/meta/internalversion/validation` of `k8s.io/apimachinery`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qs, unquote

from validation_gen.apiserver.errors import ApiError, bad_request, invalid
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.gotext import go_quote

META = "meta.k8s.io"
_VERBS = {"GET": "get", "HEAD": "get", "POST": "create", "PUT": "update", "PATCH": "patch", "DELETE": "delete"}
#: Greatest length of a field manager's name, in bytes.
_LONGEST_MANAGER = 128
#: Characters of a number that may have 64 bits, with zeros in front of it.
LONGEST_NUMBER = 100
_NAMESPACE_SUBRESOURCES = ("status", "finalize")


@dataclass(frozen=True, slots=True)
class Target:
    """Target of a URL below `/api` or `/apis`; parts that it does not name are empty."""

    group: str
    version: str
    resource: str
    namespace: str = ""
    name: str = ""
    subresource: str = ""
    watches: bool = False


def read_path(path: str) -> Target | None:
    """Returns the target of a path; None for a path that is no resource."""
    parts = [unquote(part) for part in path.strip("/").split("/") if part]
    if parts[:1] == ["api"] and len(parts) >= 3:
        group, version, rest = "", parts[1], parts[2:]
    elif parts[:1] == ["apis"] and len(parts) >= 4:
        group, version, rest = parts[1], parts[2], parts[3:]
    else:
        return None
    namespace, watches = "", rest[0] == "watch" and len(rest) > 1
    if watches:  # the old form of watches
        rest = rest[1:]
    if rest[0] == "namespaces" and len(rest) > 1:
        namespace = rest[1]
        if len(rest) > 2 and rest[2] not in _NAMESPACE_SUBRESOURCES:
            rest = rest[2:]
        elif not group:
            namespace = ""  # it is the object itself
    name, subresource = (rest[index] if len(rest) > index else "" for index in (1, 2))
    return Target(group, version, rest[0], namespace, name, subresource, watches)


def write_path(target: Target) -> str:
    """Returns the path of a target."""
    group = f"apis/{target.group}" if target.group else "api"
    space = f"namespaces/{target.namespace}" if target.namespace else ""
    parts = ("", group, target.version, space, target.resource, target.name, target.subresource)
    return "/".join(part for index, part in enumerate(parts) if part or not index)


def find_verb(method: str, target: Target, options: Mapping[str, Sequence[str]]) -> str:
    """Returns the verb of a request: `get`, `list`, `watch`, `create` …, empty for others."""
    verb = _VERBS.get(method, "")
    if target.watches and verb == "get":
        return "watch"
    if target.name:
        return verb
    if verb == "get":
        return "watch" if _is_set(options.get("watch", [])) else "list"
    return "deletecollection" if verb == "delete" else verb


def _is_set(values: Sequence[str]) -> bool:
    """Returns whether a Boolean parameter is set: by any text but `false` and `0`."""
    return bool(values) and values[0].lower() not in ("false", "0")


def read_query(query: str) -> dict[str, list[str]]:
    """Returns the parameters of a query."""
    return parse_qs(query, keep_blank_values=True)


def _first(query: Mapping[str, Sequence[str]], name: str) -> str:
    values = query.get(name)
    return values[0] if values else ""


def _integer(query: Mapping[str, Sequence[str]], name: str) -> int | None:
    text = _first(query, name)
    if not text:
        return None
    is_number = re.fullmatch(r"[+-]?[0-9]+", text) is not None
    if is_number and len(text) <= LONGEST_NUMBER and abs(int(text)) < 1 << 63:
        return int(text)
    problem = "value out of range" if is_number else "invalid syntax"
    raise bad_request(f"strconv.ParseInt: parsing {go_quote(text)}: {problem}")


def _boolean(query: Mapping[str, Sequence[str]], name: str) -> bool | None:
    return _is_set(query[name]) if query.get(name) else None


# --- options of writes ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WriteOptions:
    """Options of creates, updates and patches."""

    dry_run: bool = False
    field_manager: str = ""
    field_validation: str = "Warn"
    force: bool = False


def write_options(kind: str, query: Mapping[str, Sequence[str]], *, applies: bool = False) -> WriteOptions:
    """Reads the options of a write: `CreateOptions`, `UpdateOptions` or `PatchOptions`."""
    errors: list[FieldError] = []
    manager, force = _first(query, "fieldManager"), _boolean(query, "force")
    if kind == "PatchOptions":
        if not applies and force is not None:
            errors.append(FieldError.forbidden("force", "may not be specified for non-apply patch"))
        if applies and not manager:
            errors.append(FieldError.required("fieldManager", "is required for apply patch"))
    errors += _manager_errors(manager)
    errors += dry_run_errors(query.get("dryRun", ()))
    level = _first(query, "fieldValidation")
    if level not in ("", "Ignore", "Strict", "Warn"):
        errors.append(FieldError.not_supported("fieldValidation", level, ("", "Ignore", "Strict", "Warn")))
    if errors:
        raise invalid(META, kind, "", errors)
    return WriteOptions(bool(query.get("dryRun")), manager, level or "Warn", bool(force))


def _manager_errors(manager: str) -> list[FieldError]:
    errors = []
    if len(manager.encode()) > _LONGEST_MANAGER:
        errors.append(FieldError.too_long("fieldManager", _LONGEST_MANAGER))
    for index, char in enumerate(manager):
        if not char.isprintable():
            detail = f"invalid character U+{ord(char):04X} (at position {index})"
            errors.append(FieldError.invalid("fieldManager", manager, detail))
    return errors


def dry_run_errors(values: Sequence[str]) -> list[FieldError]:
    """Returns the errors of `dryRun`, which is `All` or nothing."""
    if all(value == "All" for value in values):
        return []
    return [FieldError.not_supported("dryRun", list(values), ("All",))]


# --- options of deletes -----------------------------------------------------------------------------------------------

_POLICIES = ("Background", "Foreground", "Orphan")


@dataclass(frozen=True, slots=True)
class DeleteOptions:
    """Options of deletes. `orphan` is the deprecated `orphanDependents`."""

    dry_run: bool = False
    propagation: str = ""
    orphan: bool | None = None
    uid: str | None = None
    resource_version: str | None = None


def delete_options(query: Mapping[str, Sequence[str]], body: Mapping[str, Any] | None) -> DeleteOptions:
    """Reads the options of a delete, which are in the body, if there is one, and else in the query."""
    if body is None:
        _integer(query, "gracePeriodSeconds")
        dry_run: Sequence[str] = query.get("dryRun", ())
        propagation, orphan = _first(query, "propagationPolicy"), _boolean(query, "orphanDependents")
        preconditions: Mapping[str, Any] = {}
        is_given = "propagationPolicy" in query
    else:
        dry_run = body.get("dryRun") or ()
        propagation, orphan = body.get("propagationPolicy") or "", body.get("orphanDependents")
        preconditions = body.get("preconditions") or {}
        is_given = body.get("propagationPolicy") is not None
    errors = []
    if is_given and orphan is not None:
        detail = "orphanDependents and deletionPropagation cannot be both set"
        errors.append(FieldError.invalid("propagationPolicy", propagation, detail))
    if is_given and propagation not in _POLICIES:
        supported = 'supported values: "Foreground", "Background", "Orphan", "nil"'  # not in order, as the server's
        errors.append(FieldError.at("propagationPolicy", ErrorType.NOT_SUPPORTED, propagation, supported))
    errors += dry_run_errors(dry_run)
    if errors:
        raise invalid(META, "DeleteOptions", "", errors)
    return DeleteOptions(
        bool(dry_run), propagation, orphan, preconditions.get("uid"), preconditions.get("resourceVersion")
    )


# --- options of lists and watches -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ListOptions:
    """Options of lists and watches."""

    labels: str = ""
    fields: str = ""
    limit: int = 0
    continues: str = ""
    resource_version: str = ""
    match: str = ""
    timeout: int | None = None
    bookmarks: bool = False
    initial_events: bool | None = None
    errors: list[FieldError] = field(default_factory=list)


def list_options(query: Mapping[str, Sequence[str]], *, watches: bool = False) -> ListOptions:
    """Reads the options of a list or a watch; `errors` has the errors of combined options."""
    options = ListOptions(
        _first(query, "labelSelector"),
        _first(query, "fieldSelector"),
        max(_integer(query, "limit") or 0, 0),
        _first(query, "continue"),
        _first(query, "resourceVersion"),
        _first(query, "resourceVersionMatch"),
        _integer(query, "timeoutSeconds"),
        bool(_boolean(query, "allowWatchBookmarks")),
        _boolean(query, "sendInitialEvents"),
    )
    if watches and options.initial_events is None and not options.match and options.resource_version in ("", "0"):
        options = replace(options, initial_events=True, match="NotOlderThan")
    check = _watch_errors if watches else _list_errors
    options.errors.extend(check(options))
    return options


def _forbidden_match(detail: str) -> FieldError:
    return FieldError.forbidden("resourceVersionMatch", detail)


def _list_errors(options: ListOptions) -> list[FieldError]:
    errors = []
    if options.match:
        if not options.resource_version:
            errors.append(_forbidden_match("resourceVersionMatch is forbidden unless resourceVersion is provided"))
        if options.continues:
            errors.append(_forbidden_match("resourceVersionMatch is forbidden when continue is provided"))
        if options.match not in ("Exact", "NotOlderThan"):
            errors.append(
                FieldError.not_supported("resourceVersionMatch", options.match, ("Exact", "NotOlderThan", ""))
            )
        if options.match == "Exact" and options.resource_version == "0":
            errors.append(_forbidden_match('resourceVersionMatch "exact" is forbidden for resourceVersion "0"'))
    if options.initial_events is not None:
        errors.append(FieldError.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"))
    return errors


def _watch_errors(options: ListOptions) -> list[FieldError]:
    errors = []
    if options.initial_events is not None and options.match != "NotOlderThan":
        errors.append(_forbidden_match("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"))
    if options.match:
        if options.initial_events is None:
            errors.append(
                _forbidden_match("resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided")
            )
        if options.match != "NotOlderThan":
            errors.append(FieldError.not_supported("resourceVersionMatch", options.match, ("NotOlderThan",)))
        if options.continues:
            errors.append(_forbidden_match("resourceVersionMatch is forbidden when continue is provided"))
    return errors


def refuse_invalid(options: ListOptions) -> None:
    """Raises `ApiError` for options that cannot be combined."""
    if options.errors:
        raise invalid(META, "ListOptions", "", options.errors)


def too_large(wanted: int, current: int) -> ApiError:
    """Returns 504 for a resource version that no write has reached."""
    return ApiError(
        504,
        "Timeout",
        f"Timeout: Too large resource version: {wanted}, current: {current}",
        {
            "causes": [{"reason": "ResourceVersionTooLarge", "message": "Too large resource version"}],
            "retryAfterSeconds": 1,
        },
        retry_after=1,
    )
