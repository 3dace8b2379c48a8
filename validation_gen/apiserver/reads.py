"""Gets and lists.

Sources of the behaviour: `pkg/endpoints/handlers/get.go` and `pkg/storage/continue.go` of `k8s.io/apiserver`.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from validation_gen.apiserver.calls import Call, Response
from validation_gen.apiserver.columns import JsonPathError, to_text
from validation_gen.apiserver.errors import ApiError, bad_request, internal, not_found
from validation_gen.apiserver.requests import LONGEST_NUMBER, ListOptions, list_options, refuse_invalid, too_large
from validation_gen.apiserver.resources import CustomResource
from validation_gen.apiserver.scaling import get_scale
from validation_gen.apiserver.selectors import FieldTerm, Requirement, parse_fields, parse_labels
from validation_gen.apiserver.storage import CompactedError, Entry, FutureRevisionError, Store
from validation_gen.apiserver.writes import decode_object
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.gotext import go_quote

_TOKEN_VERSION = "meta.k8s.io/v1"  # noqa: S105 - the version of continue tokens
#: Text of the API server for a list that can only go on with what there is now.
_INCONSISTENT = (
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without "
    "the continue parameter, or use the continue token in this response to retrieve the remainder of the results. "
    "Continuing with the provided token results in an inconsistent list - objects that were created, modified, or "
    "deleted between the time the first chunk was returned and now may show up in the list."
)
_MOST_REVISION = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Selection:
    """The objects that a list or a watch shows."""

    labels: tuple[Requirement, ...] = ()
    fields: tuple[FieldTerm, ...] = ()
    values: Callable[[Mapping[str, Any], str], str] = lambda obj, field: ""

    def selects(self, obj: Mapping[str, Any]) -> bool:
        """Returns whether the selectors select an object."""
        meta = obj.get("metadata") or {}
        labels = meta.get("labels") or {}
        if not all(requirement.holds(labels) for requirement in self.labels):
            return False
        return all((self.values(obj, term.field) == term.value) is not term.negated for term in self.fields)

    def __bool__(self) -> bool:
        return bool(self.labels or self.fields)


def selection(call: Call, options: ListOptions) -> Selection:
    """Returns the selection of a list or a watch."""
    paths = call.resource.selectable(call.version.name)
    own = ("metadata.name", "metadata.namespace") if call.resource.namespaced else ("metadata.name",)

    def value(obj: Mapping[str, Any], field: str) -> str:
        if field in own:
            return str((obj.get("metadata") or {}).get(field.partition(".")[2]) or "")
        try:
            found = paths[field].find(obj)
        except JsonPathError:
            return ""
        return to_text(found[0]) if found else ""

    labels = tuple(parse_labels(options.labels))
    fields = tuple(
        parse_fields(options.fields, lambda field: field in own or field in paths, call.resource.refuse_field)
    )
    return Selection(labels, fields, value)


def _read_listed(text: str) -> int:
    """Returns the resource version of a list, 0 for an empty one."""
    if problem := _find_problem(text):
        raise bad_request(f"invalid resource version: {problem}")
    return int(text or 0)


def read_wanted(text: str) -> int:
    """Returns the resource version of a get or a watch, 0 for an empty one."""
    if problem := _find_problem(text):
        raise internal(str(problem))
    return int(text or 0)


def _find_problem(text: str) -> FieldError | None:
    """Returns the error of a resource version that is no number."""
    if not text:
        return None
    if not re.fullmatch(r"[0-9]+", text):
        problem = "invalid syntax"
    elif len(text) > LONGEST_NUMBER or int(text) > _MOST_REVISION:
        problem = "value out of range"
    else:
        return None
    return FieldError.invalid("resourceVersion", text, f"strconv.ParseUint: parsing {go_quote(text)}: {problem}")


def make_expired(last: str = "") -> ApiError:
    """Returns 410 for a list at a revision whose history is no longer kept.

    Args:
        last: the last name of the page before, if the list was to go on after it.
    """
    if not last:
        return ApiError(410, "Expired", "The resourceVersion for the provided list is too old.")
    return ApiError(410, "Expired", _INCONSISTENT, continues=_encode_token(-1, last))


async def convert_objects(call: Call, entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """Returns stored objects in the version of a request."""
    found = await call.resource.run(call.resource.load_all, call.version, [decode_object(entry) for entry in entries])
    return [each.object for each in found]


class Reader:
    """Reads of objects from a store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def get(self, call: Call) -> Response:
        """Returns one object, or its scale."""
        if call.query.get("export", [""])[0] == "true":
            raise bad_request("the export parameter, deprecated since v1.14, is no longer supported")
        revision = read_wanted(call.query.get("resourceVersion", [""])[0])
        if revision and revision > (current := await self.store.revision()):
            raise too_large(revision, current)
        entry = await self.store.get(call.key)
        if entry is None:
            raise not_found(*call.qualified, call.target.name)
        (obj,) = await convert_objects(call, [entry])
        if call.target.subresource == "scale" and call.version.scale is not None:
            obj = get_scale(obj, call.version.scale)
        return Response(200, obj)

    async def list_objects(self, call: Call) -> Response:
        """Returns the selected objects."""
        options = list_options(call.query)
        chosen = selection(call, options)
        refuse_invalid(options)
        if options.continues and options.resource_version not in ("", "0"):
            raise bad_request("specifying resource version is not allowed when using continue")
        revision, after = self._position(call, options)
        try:
            objects, metadata = await self._collect(call, options, chosen, revision, after)
        except CompactedError:
            raise make_expired(after.removeprefix(call.prefix) if options.continues else "") from None
        except FutureRevisionError as problem:
            raise too_large(revision, problem.current) from None
        names = call.resource.names
        if not isinstance(call.resource, CustomResource) and not call.media.kind:
            objects = [{k: v for k, v in obj.items() if k not in ("apiVersion", "kind")} for obj in objects]
        body = {
            "apiVersion": call.version.api_version,
            "items": objects,
            "kind": names.list_kind,
            "metadata": metadata,
        }
        return Response(200, body)

    def _position(self, call: Call, options: ListOptions) -> tuple[int, str]:
        """Returns the revision of a list, 0 for the newest, and the last key of the page before."""
        if options.continues:
            revision, start = read_token(options.continues)
            return max(revision, 0), f"{call.prefix}{start}"
        return _read_listed(options.resource_version), ""

    async def _collect(
        self, call: Call, options: ListOptions, chosen: Selection, revision: int, after: str
    ) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        limit = options.limit
        if options.resource_version == "0" and options.match != "Exact":
            limit = 0  # as from the server's cache
        exact = options.continues or options.match == "Exact" or (limit > 0 and options.match == "" and revision)
        if not exact and revision:
            current = await self.store.revision()
            if revision > current:
                raise FutureRevisionError(current)
            revision = 0
        found: list[dict[str, Any]] = []
        at, last = revision, after
        while True:
            wanted = limit - len(found) if limit else 0
            entries, at = await self.store.scan(call.prefix, revision=at, after=last, limit=wanted + 1 if wanted else 0)
            has_more = bool(wanted) and len(entries) > wanted
            page = entries[:wanted] if has_more else entries
            found += [obj for obj in await convert_objects(call, page) if chosen.selects(obj)]
            if page:
                last = page[-1].key
            if not has_more or len(found) >= limit:
                break
        metadata: dict[str, Any] = {"resourceVersion": str(at)}
        if isinstance(call.resource, CustomResource) and not call.media.kind:
            metadata["continue"] = ""
        if has_more:
            metadata["continue"] = write_token(at, last[len(call.prefix) :])
            if not chosen:
                metadata["remainingItemCount"] = await self.store.count(call.prefix, revision=at, after=last)
        return found, metadata


# --- continue tokens --------------------------------------------------------------------------------------------------


def write_token(revision: int, last: str) -> str:
    """Returns a token for the page after a key."""
    return _encode_token(revision, f"/{last}")


def _encode_token(revision: int, start: str) -> str:
    text = json.dumps({"v": _TOKEN_VERSION, "rv": revision, "start": f"{start}\0"}, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def read_token(token: str) -> tuple[int, str]:
    """Returns the revision of a token, and the last key of the page before."""
    try:
        data = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
    except ValueError:
        raise _bad_token("invalid continue token: illegal base64 data at input byte 0") from None
    try:
        found = json.loads(data)
        if not isinstance(found, dict):
            raise ValueError("no object")
    except (ValueError, RecursionError):
        shown = _first_character(data)
        raise _bad_token(f"invalid character {shown} looking for beginning of value") from None
    version, revision, start = found.get("v"), found.get("rv"), found.get("start")
    if version != _TOKEN_VERSION:
        raise _bad_token(f"server does not recognize this encoded version {version}")
    if not isinstance(revision, int) or isinstance(revision, bool) or abs(revision) >= 1 << 63 or revision == 0:
        raise _bad_token(f"incorrect encoded start resourceVersion (version {_TOKEN_VERSION})")
    if not isinstance(start, str) or not start:
        raise _bad_token(f"missing start parameter (version {_TOKEN_VERSION})")
    cleaned = "/".join(part for part in f"/{start}".split("/") if part not in ("", "."))
    if ".." in cleaned.split("/"):
        raise _bad_token(f"invalid start parameter (version {_TOKEN_VERSION})")
    return revision, start.removesuffix("\0").removeprefix("/")


def _first_character(data: bytes) -> str:
    if not data:
        return "end of input"
    return f"'\\x{data[0]:02x}'" if data[0] >= 0x80 else f"'{chr(data[0])}'"


def _bad_token(problem: str) -> ApiError:
    return bad_request(f"invalid continue token: continue key is not valid: {problem}")
