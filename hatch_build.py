"""Builds the native accept path (`validation_gen/runtime/_fastpath.c`) with the wheel, where there is a C compiler.

Without one the wheel is the pure one, which does the same more slowly. `VALIDATION_GEN_BUILD` decides otherwise:

- `pure` builds the pure wheel, the same bytes everywhere.
- `native` fails where nothing can be compiled, as whoever builds wheels for others wants it.

An editable installation gets the extension beside its source, as there Python looks for it.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_SOURCE = Path("validation_gen", "runtime", "_fastpath.c")
_NAME = "validation_gen.runtime._fastpath"
_DEADLINE = 600  # seconds; it takes three


class NativeBuildHook(BuildHookInterface[Any]):
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        wanted = os.environ.get("VALIDATION_GEN_BUILD", "")
        if wanted not in ("", "pure", "native"):
            raise SystemExit(f'VALIDATION_GEN_BUILD must be "pure" or "native", not "{wanted}"')
        if self.target_name != "wheel" or wanted == "pure" or (not wanted and not _is_worth_it()):
            return
        # It is needed until the wheel is written. Its end removes it where nothing calls `finalize`.
        self._scratch = tempfile.TemporaryDirectory(prefix="validation-gen-")
        try:
            built = _compile(Path(self.root), Path(self._scratch.name))
        except Exception as error:
            self._scratch.cleanup()
            if wanted == "native":
                raise
            self.app.display_info(f"without the native accept path: {type(error).__name__}: {error}")
            return
        if version == "editable":
            _put(built, Path(self.root, _SOURCE).with_name(built.name))
            self._scratch.cleanup()
            return
        build_data["force_include"][str(built)] = (_SOURCE.parent / built.name).as_posix()
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if scratch := getattr(self, "_scratch", None):
            scratch.cleanup()


def _put(built: Path, place: Path) -> None:
    """Puts a library in its place as a new file: programs that run with the old one would crash if it changed."""
    made = place.with_name(f"{place.name}.new")
    shutil.copy2(built, made)
    made.replace(place)


def _is_worth_it() -> bool:
    """Whether the extension would be used: by CPython, with its lock."""
    return sys.implementation.name == "cpython" and getattr(sys, "_is_gil_enabled", lambda: True)()


def _compile(root: Path, scratch: Path) -> Path:
    """Compiles the extension in a process of its own, and returns the library.

    Raises:
        RuntimeError: there is no compiler, it fails, or it does not end in time.
    """
    command = [sys.executable, __file__, str(scratch)]
    log = scratch / "log"
    # Its output goes to a file: a pipe ends only with the last process that has it. No path of this machine is compiled
    # in, as the directory is that of the project.
    with log.open("wb") as output:
        process = subprocess.Popen(  # noqa: S603 - this file
            command, cwd=root, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
        )
        try:
            code = process.wait(_DEADLINE)
        except BaseException as error:
            _kill(process)
            if isinstance(error, subprocess.TimeoutExpired):
                raise RuntimeError(f"the compiler has not ended within {_DEADLINE} seconds") from None
            raise
    if code:
        raise RuntimeError(log.read_text(errors="replace").strip()[-2000:])
    (built,) = (scratch / "lib").rglob("_fastpath*")
    return built


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Ends a process with all that it has started."""
    if hasattr(os, "killpg"):
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()


def _run_compiler(scratch: Path) -> None:
    from setuptools import Distribution, Extension  # noqa: PLC0415 - only who compiles needs it
    from setuptools.command.build_ext import build_ext  # noqa: PLC0415

    plain = [] if os.name == "nt" else ["-std=c11", "-O3", "-g0", "-fvisibility=hidden"]
    extension = Extension(_NAME, [str(_SOURCE)], extra_compile_args=plain)
    command = build_ext(Distribution({"name": "validation-gen", "ext_modules": [extension]}))
    command.build_lib, command.build_temp = str(scratch / "lib"), str(scratch / "objects")
    command.force = True
    command.ensure_finalized()
    command.run()


if __name__ == "__main__":
    try:
        _run_compiler(Path(sys.argv[1]))
    except Exception as error:
        sys.exit(f"{type(error).__name__}: {error}")
