"""Extension modules in an output directory: which are ours, which fit their source, and which have to go.

An extension carries a stamp, as generated text carries its first line, so no list of files has to be kept beside them.
The stamp has the digest of the source. Nothing without a stamp is ever replaced or removed.
"""

from __future__ import annotations

import contextlib
import re
import sysconfig
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from validation_gen.emit.output import JSON_MARKER, Root
from validation_gen.emit.output.files import generated_directories
from validation_gen.uses.generate.compiled.source import digest_of

_STAMP = re.compile(rb"%s compiled ([0-9a-f]{64}) ([0-9a-f]{16})" % re.escape(JSON_MARKER).encode())
#: How extensions end, for whichever Python they were built.
_ENDINGS = (".so", ".pyd")
#: How those of this Python end.
SUFFIX: str = sysconfig.get_config_var("EXT_SUFFIX") or ".so"


def stamp_of(text: str, key: str) -> str:
    """The stamp of what is built from a text; `key` stands for all else that it depends on."""
    return f"{JSON_MARKER} compiled {digest_of(text)} {key}"


def stamp_in(path: Path) -> str:
    """The stamp of an extension, `""` if there is none.

    Raises:
        OSError: the file cannot be read.
    """
    return stamp_within(path.read_bytes()) if path.is_file() else ""


def stamp_within(content: bytes | None) -> str:
    """The stamp of an extension by its content, `""` if there is none: only what has one may be replaced."""
    found = _STAMP.search(content or b"")
    return found[0].decode() if found else ""


def module_of(name: str) -> str:
    """The source of an extension, by their paths."""
    path = PurePosixPath(name)
    return path.with_name(f"{path.name.partition('.')[0]}.py").as_posix()


def sweep(directory: str, files: Mapping[str, str], *, keep: bool, prune: bool) -> list[str]:
    """Removes extensions of ours that do not fit what is about to be written, or all of them unless `keep`.

    Those whose source is not among `files` go with `prune`. Gives the paths below the directory.
    """
    removed: list[str] = []
    if not any(name.endswith(".py") for name in files) or not Path(directory).is_dir():
        return removed
    with contextlib.suppress(OSError), Root.open(directory) as root:
        for name in _extensions(root, files):
            with contextlib.suppress(OSError):
                text = files.get(module_of(name))
                stamp = stamp_within(root.read(name))
                if not stamp or (text is None and not prune):
                    continue
                if not keep or text is None or digest_of(text) not in stamp:
                    root.remove(name)
                    removed.append(name)
    return sorted(removed)


def _extensions(root: Root, files: Mapping[str, str]) -> Iterator[str]:
    directories = {name.rpartition("/")[0] for name in files if name.endswith(".py")}
    directories.update(generated_directories(root))
    for directory in sorted(directories):
        with contextlib.suppress(OSError):
            for entry in root.entries(directory):
                if entry.is_file and entry.name.endswith(_ENDINGS):
                    yield f"{directory}/{entry.name}" if directory else entry.name
