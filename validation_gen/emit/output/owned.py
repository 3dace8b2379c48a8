"""Files that users own or have named: sources and manifests to change, reports, states, saved cases.

None of them is changed behind a link that leads out of the named tree, and only regular files are written or removed.
A run never replaces the generated packages of another API.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import stat
from collections.abc import Mapping
from pathlib import Path

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.emit.output.files import Compared, Written
from validation_gen.emit.output.root import RefusedError, Root, is_ours, refuse_special
from validation_gen.files import reading
from validation_gen.files.reading import is_below


def replace_files(files: Mapping[str, str], diagnostics: Diagnostics, *, tree: str = "") -> Written:
    """Replaces the text of files that users own and want changed.

    Each is replaced atomically, a link's target instead of the link; failures are reported. With a `tree`, nothing
    outside of this directory is changed.
    """
    result = Written()
    for name, text in files.items():
        content = _encode_registry(text)
        try:
            real = _real(name, tree)
            if reading.read(name) == content:
                result.unchanged.append(name)
            else:
                replace_below(tree or os.path.dirname(real), real, content)  # noqa: PTH120
                result.written.append(name)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            diagnostics.error("VG903", f"cannot write: {reason}", _at(name), "check the permissions and the links")
    return result


def compare_owned(files: Mapping[str, str], diagnostics: Diagnostics, *, tree: str = "") -> Compared:
    """Reports the effects of `replace_files` without writing."""
    result = Compared()
    for name, text in sorted(files.items()):
        try:
            _real(name, tree)
            known = reading.read(name)
        except (OSError, ValueError) as error:
            message = f"cannot read: {getattr(error, 'strerror', None) or error}"
            diagnostics.error("VG903", message, _at(name), "check the permissions and the links")
        else:
            (result.unchanged if known == _encode_registry(text) else result.stale).append(name)
    return result


def is_within(path: str, tree: str) -> bool:
    """Returns whether a file is below a directory when all links are followed."""
    return is_below(os.path.realpath(path), os.path.realpath(tree))


def replace_below(tree: str, real: str, content: bytes) -> None:
    """Gives a file below a directory, by its path without links, this content.

    Raises:
        OSError: it cannot be written, or is not there any longer by that path.
    """
    top = os.path.realpath(tree)
    with Root.open(top) as root:
        root.replace(os.path.relpath(real, top).replace(os.sep, "/"), content)


def replace_file(path: Path, content: bytes) -> None:
    """Writes a file that the user has named, beside its place first, so that readers see the old text or the new one.

    Raises:
        OSError: it cannot be written, or is a pipe or a device.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with Root.open(path.parent) as root:
        root.replace(path.name, content)


def remove_file(path: Path) -> None:
    """Removes a file that the user has named, if it exists.

    Raises:
        OSError: it cannot be removed, or is a pipe or a device.
    """
    with contextlib.suppress(FileNotFoundError), Root.open(path.parent) as root:
        root.remove(path.name)


def open_to_append(path: str | os.PathLike[str]) -> io.FileIO:
    """A file that the user has named, open for reading and for writing at its end. It is made if it is not there.

    Raises:
        OSError: it cannot be opened, or is a pipe or a device.
    """
    with contextlib.suppress(FileNotFoundError):
        refuse_special(os.stat(path).st_mode)  # noqa: PTH116 - of a text
    file = open(path, "a+b", buffering=0, opener=_at_once)  # noqa: SIM115
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise RefusedError("this is no regular file")
    return file


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0), 0o666)


def _real(name: str, tree: str) -> str:
    if tree and not is_within(name, tree):
        raise RefusedError(f"this is a link that leads out of {tree}, so the file is kept")
    return os.path.realpath(name)


def _encode_registry(text: str) -> bytes:
    return text.encode(errors="surrogateescape")  # foreign text is restored exactly


def _at(name: str) -> Span:
    return Span(Path(name).as_posix())


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

    Both are the same API if they have a package in common. Versions of a package are the same package, and so are paths
    with the same end, as after a new go.mod. Packages of Kubernetes are ignored: most APIs import them.
    """
    new = _packages(files.get(_REGISTRY, ""))
    old = _packages(_read_registry(directory)) if new else {}
    if not old or any(_are_equal(one, other) for one in _families(old) for other in _families(new)):
        return False
    others = ", ".join(sorted(old)[:2]) + (f" and {len(old) - 2} more" if len(old) > 2 else "")
    help = (
        "name another directory with --output-dir, name the sources of both in one run, or remove the directory first"
    )
    message = f"the validators there are of another API ({others}), so nothing is written"
    diagnostics.error("VG903", message, Span((Path(directory) / _REGISTRY).as_posix()), help)
    return True


def _read_registry(directory: str) -> str:
    try:
        with Root.open(directory) as root:
            content = root.read(_REGISTRY) or b""
    except (OSError, ValueError):  # writing to the directory reports the error
        return ""
    return content.decode(errors="replace") if is_ours(_REGISTRY, content) else ""


def _packages(registry: str) -> dict[str, str]:
    """Returns the group of each package in a registry, `""` for a package without a group."""
    entries = _KIND.findall(registry)
    for package, table in _TABLE.findall(registry):
        entries += [(package, ""), *((package, version) for version in _KIND_OF_TABLE.findall(table))]
    found: dict[str, str] = {}
    for package, version in entries:
        found[package] = version.rpartition("/")[0] or found.get(package, "")
    return found


def _families(packages: dict[str, str]) -> set[tuple[str, str]]:
    """Returns the packages without their versions, each with its group."""
    own = {package: group for package, group in packages.items() if not package.startswith(_SHARED)}
    return {(_VERSION.sub("", package), group) for package, group in (own or packages).items()}


def _are_equal(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Returns whether two families are equal. A name without a path is ambiguous, so the group decides."""
    (path, group), (its_path, its_group) = one, other
    if path == its_path:
        return "/" in path or not group or not its_group or group == its_group
    return path.endswith(f"/{its_path}") or its_path.endswith(f"/{path}")
