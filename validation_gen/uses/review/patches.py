"""Applies untrusted patches of RFC 6902, within the limits of a server."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from typing import Any

#: Maximum number of changes, and of copied bytes, as on servers.
_MOST, _MOST_COPIED = 10_000, 3 << 20


class PatchError(ValueError):
    """A patch that cannot be applied; the text is the reason."""


def patched(obj: Any, patch: Sequence[Any]) -> Any:
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
