"""What compiled modules need at run time: to be the modules that they were made from, or to step back for these.

The source of a compiled module lies beside it. Python imports the compiled one, also when the source has been
replaced since, by a version control system for example. So a compiled module looks at its source when it is imported.
"""

from __future__ import annotations

import hashlib
import importlib.util
import marshal
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any


def deeper(function: Callable[..., Any], *arguments: Any) -> Any:
    """A call in a circle of compiled functions.

    Compiled functions do not count how deep they are, and would end the process where Python raises `RecursionError`.
    This frame in between is counted.
    """
    return function(*arguments)


def begin(built_as: str, code: bytes) -> dict[str, Any]:
    """Runs what a module has outside of functions. Returns the names of the module, to which this adds."""
    names = vars(sys.modules[built_as])
    # Until the import is over, the module has the specification of a module of no package.
    specification = names.pop("__spec__", None)
    names["__package__"] = names["__name__"].rpartition(".")[0]
    try:
        exec(marshal.loads(code), names)  # noqa: S102, S302 - a part of the extension itself
    finally:
        names["__spec__"] = specification
    return names


def settle(built_as: str, digest: str) -> None:
    """Ends the import of a compiled module.

    `built_as` is the name that it has entered itself under in `sys.modules`, which it does not keep. If the source
    beside it is no longer the one with this digest, the names of the module become those of the source.
    """
    module = sys.modules.pop(built_as, None)
    if module is None:
        return
    source = _source(module)
    if source is None or hashlib.sha256(source.read_bytes()).hexdigest() == digest:
        return
    warnings.warn(
        f"{source} has changed since it was compiled, so Python runs it; "
        "run `validation-gen generate --compile` again, or remove the compiled file",
        RuntimeWarning,
        stacklevel=2,
    )
    spec = importlib.util.spec_from_file_location(module.__name__, source)
    if spec is not None and spec.loader is not None:
        fresh = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(fresh)
        vars(module).update({k: v for k, v in vars(fresh).items() if not k.startswith("__")})


def _source(module: ModuleType) -> Path | None:
    """The source of a compiled module, if it is there."""
    package, _, name = module.__name__.rpartition(".")
    for place in getattr(sys.modules.get(package), "__path__", ()):
        path = Path(place, f"{name}.py")
        if path.is_file():
            return path
    return None
