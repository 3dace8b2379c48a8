"""Builds the modules of a generated package as extensions that lie beside them.

Each module is an extension of its own that knows neither the name of its package nor the other modules before it is
imported. So the directory can be moved and renamed as it could be before, and what has not changed is not built again.
Work is done in a temporary directory, by a process a module. Where the tools are missing, the package stays as it is.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import importlib.util
import json
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path

from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity, Span
from validation_gen.emit.loading import interpreter
from validation_gen.emit.output import MARKER, Root
from validation_gen.runtime.words import counted
from validation_gen.uses.generate.compiled.extensions import SUFFIX, stamp_of, stamp_within
from validation_gen.uses.generate.compiled.source import EDITION, for_mypyc

#: How much the C compiler tries. More takes longer and gains nothing that could be measured.
LEVEL = "1"
#: Seconds after which the compiler of a module is ended.
DEADLINE = 1800
#: Validators begin so; other modules that are generated beside them are never hot.
_VALIDATORS = '"""Validators of '
_LAST_LINES = 12


@dataclass(slots=True)
class Compiled:
    """What has been built, as paths below the output directory.

    Attributes:
        missing: why nothing could be built on this machine, `""` if it could or nothing had to be.
    """

    built: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    missing: str = ""


#: Python 3.11 counts the depth of syntax trees for all threads together, and raises `SystemError` when it loses count.
_PARSING = threading.Lock()


def compile_files(
    directory: str,
    files: Mapping[str, str],
    diagnostics: Diagnostics,
    progress: Callable[[str], None],
    *,
    level: str = LEVEL,
) -> Compiled:
    """Brings the extensions beside the generated modules in `files` (text by path) up to date."""
    result = Compiled()
    key = _key(level)
    waiting: list[_Job] = []
    modules = {name: text for name, text in files.items() if _is_compiled(name, text)}
    if not modules or not Path(directory).is_dir():
        return result
    with contextlib.suppress(OSError), Root.open(directory) as root:
        for name, text in modules.items():
            job = _Job(Path(directory), name, text, stamp_of(text, key), level)
            try:
                if root.read(name) != text.encode(errors="replace"):
                    continue  # somebody else's file, which has been reported
                known = root.read(job.shown)
                if stamp_within(known) == job.stamp:
                    result.unchanged.append(job.shown)
                elif known is not None and not stamp_within(known):
                    help = "move it away, or choose another place with --output-dir"
                    place = Span(job.extension.as_posix())
                    diagnostics.error("VG903", "the file exists and was not generated, so it is kept", place, help)
                else:
                    waiting.append(job)
            except OSError:
                continue  # what cannot be read could not be written, which has been reported
    if waiting:
        result.missing = missing_tool()
    if waiting and not result.missing:
        waiting.sort(key=lambda job: -len(job.text))  # the longest first, so that none is left alone at the end
        result.built = _build(waiting, diagnostics, progress)
    return result


def missing_tool() -> str:
    """Names what a build lacks on this machine, with what to do about it; `""` if nothing."""
    for module in ("mypyc", "setuptools"):
        if importlib.util.find_spec(module) is None:
            return f"{module} is not installed (pip install 'validation-gen[compile]')"
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "")
    if sys.platform != "win32":  # where setuptools alone knows how to find one
        if not compiler or shutil.which(compiler[0]) is None:
            return f"there is no C compiler ({compiler[0] if compiler else 'cc'})"
        if not Path(sysconfig.get_path("include"), "Python.h").is_file():
            return "there is no Python.h (Linux distributions have it in python3-dev or python3-devel)"
    return ""


def _is_compiled(name: str, text: str) -> bool:
    path = Path(name)
    if path.name == "__init__.py":
        return False  # the registry: nothing in it is hot, and the package must have a name
    return path.suffix == ".py" and path.stem.isidentifier() and text.startswith(MARKER) and _VALIDATORS in text[:400]


def _key(level: str) -> str:
    """All that an extension depends on beside its source."""
    try:
        mypy = importlib.metadata.version("mypy")
    except importlib.metadata.PackageNotFoundError:
        mypy = ""
    parts = [EDITION, level, mypy, sys.version, SUFFIX]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class _Job:
    """One module to be built."""

    root: Path
    name: str
    text: str
    stamp: str
    level: str

    @property
    def source(self) -> Path:
        return self.root / self.name

    @property
    def extension(self) -> Path:
        return self.source.with_suffix(SUFFIX)

    @property
    def shown(self) -> str:
        return Path(self.name).with_suffix(SUFFIX).as_posix()


def _build(jobs: list[_Job], diagnostics: Diagnostics, progress: Callable[[str], None]) -> list[str]:
    built = []
    place = jobs[0].root
    try:
        with tempfile.TemporaryDirectory(prefix="validation-gen-") as scratch, Root.open(place) as root:
            progress(f"compiling {counted(len(jobs), 'module')}")
            with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
                running = {pool.submit(_build_one, job, Path(scratch, str(i))): job for i, job in enumerate(jobs)}
                for count, future in enumerate(as_completed(running), start=1):
                    job = running[future]
                    place = job.extension
                    content, output = future.result()
                    if content:
                        root.replace(job.shown, content)
                        built.append(job.shown)
                    else:
                        _report(job, output, diagnostics)
                    progress(f"compiling: {count} of {counted(len(jobs), 'module')}")
    except OSError as error:
        help = "check the permissions, the space, and TMPDIR; without --compile Python runs the validators"
        diagnostics.error("VG903", f"cannot write: {error.strerror or error}", Span(place.as_posix()), help)
    return sorted(built)


def _build_one(job: _Job, scratch: Path) -> tuple[bytes, str]:
    """The extension, or what the tools say of the failure."""
    stem = job.source.stem
    built_as = f"_validation_gen_{stem}_{hashlib.sha256(job.stamp.encode()).hexdigest()[:12]}"
    (scratch / "source").mkdir(parents=True)
    source = Path("source", f"{built_as}.py")
    with _PARSING:
        text = for_mypyc(job.text, built_as, job.stamp, job.name)
    (scratch / source).write_text(text, encoding="utf-8")
    (scratch / "job.json").write_text(
        json.dumps(
            {
                "source": source.as_posix(),
                "built_as": built_as,
                "name": stem,
                "shown": job.name,
                "level": job.level,
                "build": "c",
                "objects": "objects",
                "output": "output",
            }
        )
    )
    try:
        done = subprocess.run(  # noqa: S603 - our own worker
            interpreter.command("validation_gen.uses.generate.compiled.worker", "job.json"),
            cwd=scratch,
            env=os.environ | {"PYTHONWARNINGS": "ignore"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            timeout=DEADLINE,
        )
    except subprocess.TimeoutExpired:
        return b"", f"error: no end after {DEADLINE} seconds"
    output = done.stdout.decode(errors="replace")
    if done.returncode:
        return b"", output
    found = list((scratch / "output").glob(f"*{SUFFIX}"))
    if not found:  # such a compiler says nothing either
        return b"", output
    content = found[0].read_bytes()
    shutil.rmtree(scratch, ignore_errors=True)  # the C sources are large
    return content, output


def _report(job: _Job, output: str, diagnostics: Diagnostics) -> None:
    lines = [line.rstrip() for line in output.splitlines() if line.strip()][-_LAST_LINES:]
    why = _why(lines)
    message, place = f"the module cannot be compiled: {why}", Span(job.source.as_posix())
    help = "Python runs it as it is; leave out --compile, or install another C compiler or another mypy"
    notes = tuple((line.strip(), None) for line in lines if line.strip() != why)
    diagnostics.add(Diagnostic("VG907", Severity.ERROR, message, place, help, notes))


def _why(lines: list[str]) -> str:
    """The line that says most: the first of an error, else the last one."""
    errors = [line.strip() for line in lines if "error:" in line]
    return errors[0] if errors else lines[-1].strip() if lines else "the compiler has said nothing"
