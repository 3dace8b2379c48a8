"""What compiled modules need at run time: to be the modules that they were made from, or to step back for these.

The source of a compiled module lies beside it. Python imports the compiled one, also when the source has been
replaced since, by a version control system for example. So a compiled module looks at its source when it is imported.
"""

from __future__ import annotations

import hashlib
import importlib.machinery
import importlib.util
import marshal
import sys
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

#: How many times compiled functions go round before Python takes over. Each time takes a few kilobytes of a stack that
#: may be as small as half a megabyte in a thread.
_ROUNDS = 64
_here = threading.local()


def deeper(function: Callable[..., Any], *arguments: Any) -> Any:
    """A call in a circle of compiled functions.

    Compiled functions do not count how deep they are, and would end the process where Python raises `RecursionError`.
    So their own source goes on from some depth, which does.

    Raises:
        RecursionError: the value is too deep.
    """
    rounds = getattr(_here, "rounds", 0)
    if rounds >= _ROUNDS:
        function = getattr(_python(sys.modules[function.__module__]), function.__name__)
    _here.rounds = rounds + 1
    try:
        return function(*arguments)
    finally:
        _here.rounds = rounds


def _python(module: ModuleType) -> ModuleType:
    """A compiled module as Python runs it."""
    found: ModuleType | None = vars(module).get("_python")
    if found is None:
        source = _source(module)
        if source is None:
            raise RecursionError("the sources are not there, which could go deeper")
        found = vars(module)["_python"] = _load(module.__name__, source)
    return found


def _load(name: str, source: Path) -> ModuleType:
    """A module from its source, without an entry in `sys.modules`."""
    loader = importlib.machinery.SourceFileLoader(name, str(source))
    specification = importlib.util.spec_from_file_location(name, source, loader=loader)
    assert specification is not None
    module = importlib.util.module_from_spec(specification)
    loader.exec_module(module)
    return module


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
    fresh = vars(_load(module.__name__, source))
    vars(module).update({name: value for name, value in fresh.items() if not name.startswith("__")})


def _source(module: ModuleType) -> Path | None:
    """The source of a compiled module, if it is there."""
    package, _, name = module.__name__.rpartition(".")
    for place in getattr(sys.modules.get(package), "__path__", ()):
        path = Path(place, f"{name}.py")
        if path.is_file():
            return path
    return None
