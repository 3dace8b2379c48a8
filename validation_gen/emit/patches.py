"""Changes of files as patches in unified form, such as `git apply` and `patch -p1` take them."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

_NO_END = "\\ No newline at end of file\n"


def unified(path: str, before: str | None, after: str | None) -> str:
    """Makes the patch from one text to another; `None` is a file that does not exist. `""` if nothing differs."""
    if before == after:
        return ""
    # Absolute paths and those that lead upwards stay unchanged: a prefix would make other paths of them.
    plain = path.startswith(("/", "../"))
    old = "/dev/null" if before is None else path if plain else f"a/{path}"
    new = "/dev/null" if after is None else path if plain else f"b/{path}"
    head = "" if plain else _git_head(path, before, after)
    lines = list(difflib.unified_diff(_lines(before), _lines(after), old, new))
    return head + "".join(_ended(lines))


def first_difference(before: str, after: str) -> int:
    """Returns the number of the first line that is not the same in both, counted from 1."""
    pairs = zip(_lines(before), _lines(after), strict=False)
    same = next((number for number, (one, other) in enumerate(pairs) if one != other), None)
    return (min(len(_lines(before)), len(_lines(after))) if same is None else same) + 1


def _git_head(path: str, before: str | None, after: str | None) -> str:
    """Returns the lines by which git knows that a file is new or goes."""
    if before is not None and after is not None:
        return ""
    what = "new" if before is None else "deleted"
    return f"diff --git a/{path} b/{path}\n{what} file mode 100644\n"


def _lines(text: str | None) -> list[str]:
    """Only a line feed ends a line, whatever else `splitlines` may take for an end."""
    lines = [f"{line}\n" for line in (text or "").split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _ended(lines: list[str]) -> Iterator[str]:
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n{_NO_END}"
