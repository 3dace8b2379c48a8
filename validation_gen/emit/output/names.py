"""Validates file names below an output directory. Parts of them come from sources, so none is trusted.

The rules are those of all systems at once, so that files generated on one can be checked out on another. Nothing here
looks at the disk.
"""

from __future__ import annotations

import re

from validation_gen.types.naming import DEVICES

_LONGEST = 255  # bytes, which is what file systems have
_ELSEWHERE = re.compile(r"[\\:]")


def problem_with(name: str) -> str:
    """Returns why a path below an output directory, `/` between its parts, cannot be written; `""` if it can."""
    if not name:
        return "it is empty"
    if name.startswith("/"):
        return "it is an absolute path"
    if _ELSEWHERE.search(name):
        return "a colon or a backslash means another place on Windows"
    return next((problem for part in name.split("/") if (problem := _problem_with_part(part))), "")


def _problem_with_part(part: str) -> str:
    if not part:
        return "a part of it is empty"
    if part in (".", ".."):
        return f'the part "{part}" leads elsewhere'
    if any(ord(c) < 32 or 127 <= ord(c) < 160 or 0xD800 <= ord(c) < 0xE000 for c in part):
        return "it has a control character"
    if part.endswith((" ", ".")):
        return "a part of it ends with a blank or a dot, which Windows drops"
    if part.partition(".")[0].rstrip(" ").lower() in DEVICES:
        return f'"{part}" is a device on Windows'
    return "a part of it is too long" if len(part.encode(errors="replace")) > _LONGEST else ""
