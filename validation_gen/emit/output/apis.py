"""Finds the API of a generated package, so that a run never replaces the files of another API."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.emit.output.marks import is_ours
from validation_gen.emit.output.root import Root

_REGISTRY = "__init__.py"
#: A table of a registry: the package of the sources, and the types with their group and version, if they have one.
_TABLE = re.compile(r"""\*kinds\(\s*"[^"\n]*",\s*"([^"\n]+)",\s*"[^"\n]*",\s*\{([^{}]*)\}""")
_KIND_OF_TABLE = re.compile(r"""^\s*"[^"\n]*": "([^"\s/][^"\s]*) """, re.MULTILINE)
#: An entry as former versions wrote it: the module, the type, the package, and the group with the version.
_KIND = re.compile(r"""\bKind\(\s*"[^"\n]*",\s*"[^"\n]*",\s*"([^"\n]+)",\s*"([^"\n]*)",""")
_VERSION = re.compile(r"/v[0-9]+((alpha|beta)[0-9]+)?$")
_SHARED = "k8s.io/"


def is_of_another_api(directory: str, files: Mapping[str, str], diagnostics: Diagnostics) -> bool:
    """Reports validators of other sources in a directory, which writing `files` would remove.

    It is the same API as long as one package is in both. A new version of a package is the same package, and so is one
    with a longer path, as behind a new go.mod. Packages of Kubernetes, which everyone imports, do not count.
    """
    new = _packages(files.get(_REGISTRY, ""))
    old = _packages(_known(directory)) if new else {}
    if not old or any(_alike(one, other) for one in _families(old) for other in _families(new)):
        return False
    others = ", ".join(sorted(old)[:2]) + (f" and {len(old) - 2} more" if len(old) > 2 else "")
    help = (
        "name another directory with --output-dir, name the sources of both in one run, or remove the directory first"
    )
    message = f"the validators there are of another API ({others}), so nothing is written"
    diagnostics.error("VG903", message, Span((Path(directory) / _REGISTRY).as_posix()), help)
    return True


def _known(directory: str) -> str:
    try:
        with Root.open(directory) as root:
            content = root.read(_REGISTRY) or b""
    except (OSError, ValueError):  # writing to the directory reports the error
        return ""
    return content.decode(errors="replace") if is_ours(_REGISTRY, content) else ""


def _packages(registry: str) -> dict[str, str]:
    """The packages with their groups, `""` for those that have none."""
    entries = _KIND.findall(registry)
    for package, table in _TABLE.findall(registry):
        entries += [(package, ""), *((package, version) for version in _KIND_OF_TABLE.findall(table))]
    found: dict[str, str] = {}
    for package, version in entries:
        found[package] = version.rpartition("/")[0] or found.get(package, "")
    return found


def _families(packages: dict[str, str]) -> set[tuple[str, str]]:
    """The packages without their versions, each with its group."""
    own = {package: group for package, group in packages.items() if not package.startswith(_SHARED)}
    return {(_VERSION.sub("", package), group) for package, group in (own or packages).items()}


def _alike(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Returns whether two families are equal. A name without a path is ambiguous, so the group decides."""
    (path, group), (its_path, its_group) = one, other
    if path == its_path:
        return "/" in path or not group or not its_group or group == its_group
    return path.endswith(f"/{its_path}") or its_path.endswith(f"/{path}")
