"""Extension modules in an output directory: which are ours, which fit their source, and which have to go.

An extension carries a stamp, as generated text carries its first line, so no list of files has to be kept beside them.
The stamp has the digest of the source. Nothing without a stamp is ever replaced or removed.
"""

from __future__ import annotations

import contextlib
import re
import sysconfig
from collections.abc import Iterator, Mapping
from pathlib import Path

from validation_gen.compiled.source import digest_of
from validation_gen.output import JSON_MARKER, generated_directories

_STAMP = re.compile(rb"%s compiled ([0-9a-f]{64}) ([0-9a-f]{16})" % re.escape(JSON_MARKER).encode())
#: How extensions end, for whichever Python they were built.
_ENDINGS = ("*.so", "*.pyd")
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
    found = _STAMP.search(path.read_bytes()) if path.exists() else None
    return found[0].decode() if found else ""


def is_ours(path: Path) -> bool:
    """Whether an extension may be replaced."""
    return bool(stamp_in(path))


def module_of(path: Path) -> Path:
    """The source of an extension."""
    return path.with_name(f"{path.name.partition('.')[0]}.py")


def sweep(directory: str, files: Mapping[str, str], *, keep: bool, prune: bool) -> list[str]:
    """Removes extensions of ours that do not fit what is about to be written, or all of them unless `keep`.

    Those whose source is not among `files` go with `prune`. Gives the paths below the directory.
    """
    root = Path(directory)
    removed = []
    for path in _extensions(root, files):
        with contextlib.suppress(OSError):
            name = path.relative_to(root).as_posix()
            text = files.get(module_of(path).relative_to(root).as_posix())
            stamp = stamp_in(path)
            if not stamp or (text is None and not prune):
                continue
            if not keep or text is None or digest_of(text) not in stamp:
                path.unlink()
                removed.append(name)
    return sorted(removed)


def _extensions(root: Path, files: Mapping[str, str]) -> Iterator[Path]:
    directories = {(root / name).parent for name in files if name.endswith(".py")}
    if directories:
        directories.update(generated_directories(root))
    for directory in sorted(directories):
        for ending in _ENDINGS:
            with contextlib.suppress(OSError):
                yield from sorted(path for path in directory.glob(ending) if path.is_file())
