"""Reads the answers of a webhook, with their patches of RFC 6902. It may be hostile, so limits hold."""

from __future__ import annotations

import base64
import binascii
import copy
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from validation_gen.commands.compare.sides.untrusted import UnreadableError, decode
from validation_gen.kubernetes.manifests import Manifest

#: Maximum number of changes, and of copied bytes, as on servers.
_MOST, _MOST_COPIED = 10_000, 3 << 20


class PatchError(ValueError):
    """A patch that cannot be applied; the text is the reason."""


def apply_patch(obj: Any, patch: Sequence[Any]) -> Any:
    """Returns an object with its changes.

    Raises:
        PatchError: they cannot be applied, or there are too many.
    """
    try:
        import jsonpatch  # noqa: PLC0415 - an extra
        import jsonpointer  # noqa: PLC0415
    except ImportError:
        raise PatchError("a patch was sent, which needs jsonpatch: pip install 'validation-gen[serve]'") from None
    if len(patch) > _MOST:
        raise PatchError(f"the patch has {len(patch)} changes, of which {_MOST} are made")
    found = copy.deepcopy(obj)
    copied = 0
    for change in patch:
        try:
            if isinstance(change, dict) and change.get("op") == "copy":
                copied += len(json.dumps(jsonpointer.resolve_pointer(found, change["from"])))
                if copied > _MOST_COPIED:
                    raise PatchError(f"the patch copies more than {_MOST_COPIED} bytes")
            found = jsonpatch.JsonPatch([change]).apply(found, in_place=True)
        except PatchError:
            raise
        except Exception as problem:  # the library has many exceptions, and passes others on
            raise PatchError(f"the patch cannot be applied: {problem!s:.200}") from None
    return found


_MOST_WARNINGS, _MOST_CAUSES = 100, 1000


@dataclass(frozen=True, slots=True)
class Reviewed:
    """An object and the answer about it.

    Attributes:
        manifest: source of the object.
        allowed: True if it is admitted, or converted.
        problem: the reason why there is no answer, empty if there is one.
        reason: of the status, such as `Invalid`.
        message: of the status.
        about: the kind and the name in the status.
        causes: the paths and texts of single errors.
        warnings: warnings for the user.
        patch: the changes, as they were sent; None without a patch.
        object: the object with its changes, or in the other version.
    """

    manifest: Manifest
    allowed: bool = False
    problem: str = ""
    reason: str = ""
    message: str = ""
    about: tuple[str, str] = ("", "")
    causes: Sequence[tuple[str, str]] = ()
    warnings: Sequence[str] = ()
    patch: Sequence[Any] | None = None
    object: Any = None


class AnswerError(ValueError):
    """A malformed answer; the text is the reason."""


def admission(manifest: Manifest, body: bytes, uid: str) -> Reviewed:
    """Reads the answer to a review of admission."""
    try:
        response = _response(body, uid, "AdmissionReview")
        allowed = response.get("allowed")
        if not isinstance(allowed, bool):
            raise AnswerError("response.allowed is neither true nor false")
        patch = _patch(response)
        changed = apply_patch(manifest.obj, patch) if patch is not None else manifest.obj
    except (AnswerError, PatchError) as problem:
        return Reviewed(manifest, problem=str(problem))
    status = _mapping(response.get("status"))
    details = _mapping(status.get("details"))
    return Reviewed(
        manifest,
        allowed,
        reason=_text(status.get("reason")),
        message=_text(status.get("message")),
        about=(_text(details.get("kind")), _text(details.get("name"))),
        causes=[
            (_text(cause.get("field")), _text(cause.get("message")))
            for cause in map(_mapping, _items(details.get("causes"))[:_MOST_CAUSES])
        ],
        warnings=[each for each in _items(response.get("warnings")) if isinstance(each, str)][:_MOST_WARNINGS],
        patch=patch,
        object=changed,
    )


def conversion(manifests: Sequence[Manifest], body: bytes, uid: str, version: str) -> list[Reviewed]:
    """Reads the answers to a review of conversion: of all objects, or of none."""
    try:
        response = _response(body, uid, "ConversionReview")
        result = _mapping(response.get("result"))
        found = _items(response.get("convertedObjects"))
        if result.get("status") != "Success":
            text = _text(result.get("message")) or "no reason is given"
            return [Reviewed(each, message=text) for each in manifests]
        if len(found) != len(manifests):
            raise AnswerError(f"{len(manifests)} objects were sent, and {len(found)} came back")
        for each in found:
            if _mapping(each).get("apiVersion") != version:
                raise AnswerError(f"an object came back in {_mapping(each).get('apiVersion')!r:.80}, not in {version}")
    except AnswerError as problem:
        return [Reviewed(each, problem=str(problem)) for each in manifests]
    return [Reviewed(each, allowed=True, object=obj) for each, obj in zip(manifests, found, strict=True)]


def _response(body: bytes, uid: str, kind: str) -> Mapping[str, Any]:
    try:
        data = decode(body)
    except UnreadableError as problem:
        raise AnswerError(f"the answer is not JSON{f': {problem}' if problem.args else ''}") from None
    response = _mapping(data).get("response")
    if _mapping(data).get("kind") != kind or not isinstance(response, dict):
        raise AnswerError(f"the answer is no {kind} with a response")
    if response.get("uid") != uid:
        raise AnswerError(f"the answer is to another uid ({response.get('uid')!r:.80})")
    return response


def _patch(response: Mapping[str, Any]) -> list[Any] | None:
    sent = response.get("patch")
    if sent is None:
        return None
    if response.get("patchType") != "JSONPatch":
        raise AnswerError(f"response.patchType is {response.get('patchType')!r:.40}, and only JSONPatch is known")
    try:
        found = decode(base64.b64decode(sent, validate=True))
    except (binascii.Error, ValueError, TypeError):
        raise AnswerError("response.patch is not JSON in base64") from None
    if not isinstance(found, list):
        raise AnswerError("response.patch is not a list")
    return found


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
