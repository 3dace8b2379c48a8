"""Builds one extension in a process of its own, which `interpreter.command` starts.

mypyc prints what it has to say and ends the process where it fails. Whoever starts this process reads what it prints.
A job is a JSON file with the source, its name while it is built, its name when it is imported, and where all goes.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

#: mypy is to find nothing of the user's, neither settings nor modules: what is not the module itself may be anything.
#: Nor is it to share a cache with other workers, as it would wait for them, and fail in the end.
_MYPY = ("--config-file=", "--cache-dir=/dev/null", "--follow-imports=skip", "--ignore-missing-imports")


def main(file: str) -> None:
    """Builds what the job says.

    Raises:
        SystemExit: mypyc or setuptools has failed, and has said why.
    """
    from mypyc.build import mypycify  # noqa: PLC0415 - only a worker needs them
    from setuptools import setup  # noqa: PLC0415

    job: dict[str, str] = json.loads(Path(file).read_text(encoding="utf-8"))
    extensions: list[Any] = mypycify(
        [*_MYPY, job["source"]], opt_level=job["level"], debug_level="0", target_dir=job["build"]
    )
    (extension,) = extensions
    for c_file in extension.sources:
        _rename(Path(c_file), job["built_as"], job["name"], job["source"], job["shown"])
    extension.name = job["name"]
    # What a compiler of another year warns of is nobody's mistake here.
    extension.extra_compile_args = [flag for flag in extension.extra_compile_args if flag != "-Werror"]
    setup(
        name=job["built_as"],
        ext_modules=[extension],
        script_args=["-q", "build_ext", "--build-lib", job["output"], "--build-temp", job["objects"]],
    )


def _rename(file: Path, built_as: str, name: str, source: str, shown: str) -> None:
    """Gives an extension the name that it is imported by.

    While it is built it has one that no other module has: it enters itself under that in `sys.modules`.
    """
    text = file.read_text(encoding="utf-8")
    definition = f'PyModuleDef_HEAD_INIT,\n    "{built_as}",'
    if definition not in text or f"PyInit_{built_as}(" not in text:
        sys.exit("this version of mypyc names modules in another way")
    text = text.replace(definition, f'PyModuleDef_HEAD_INIT,\n    "{name}",')
    text = text.replace(f"PyInit_{built_as}(", f"PyInit_{name}(")
    file.write_text(text.replace(json.dumps(source), json.dumps(shown)), encoding="utf-8")
