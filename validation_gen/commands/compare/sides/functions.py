"""Handwritten validation in a Python function, called in the comparing process. This runs user code.

The function is named `module:function` or `path/to/file.py:function`.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import inspect
import os
import sys
import sysconfig
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import validation_gen
from validation_gen.commands.compare.requests import Request
from validation_gen.commands.compare.sides.untrusted import Answer, NamedSpec, Refusal, Shapes, Side, SpecError
from validation_gen.emit.loading.generated import admit, imported, is_reserved, reaching
from validation_gen.mismatch.adapters import Adapted, HandwrittenError, adapt
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.shapes import Shape
from validation_gen.runtime.words import nearest

_OWN = f"{Path(validation_gen.__file__).parent}{os.sep}"
_LIBRARY = f"{sysconfig.get_paths()['stdlib']}{os.sep}"


def load(name: str, directory: str = "") -> Any:
    """Returns the function of a name. Modules are searched in a directory, if there is one, and in the current one.

    Raises:
        SpecError: there is no such module or function, or the module cannot be imported.
    """
    place, _, function = name.rpartition(":")
    if not place or not function:
        suggestion = f"write python:{place or name or 'MODULE'}:FUNCTION"
        raise SpecError(f"python:{name} does not name a function", suggestion)
    module = _module(place, [*([Path(directory)] if directory else []), Path.cwd()])
    found: Any = module
    for i, part in enumerate(function.split(".")):
        if not hasattr(found, part):
            within = ".".join([place, *function.split(".")[:i]])
            raise SpecError(f"there is no {part} in {within}", _near(part, found))
        found = getattr(found, part)
    return found


def load_file(file: str) -> ModuleType:
    """Imports a Python file. Files of packages are imported as parts of these.

    Raises:
        SpecError: there is no such file, or it cannot be imported.
    """
    if not file.endswith(".py"):
        raise SpecError(f"{file} is no Python file", "name a file that ends in .py")
    return _module(file, [Path.cwd()])


def find_location(error: BaseException) -> str:
    """Returns the location in handwritten code that raised an exception, as `file:line`; `""` if it is unknown."""
    frames = traceback.extract_tb(error.__traceback__)
    if isinstance(error, SyntaxError) and error.filename:
        return f"{_shorten_path(error.filename)}:{error.lineno}"
    foreign = [frame for frame in frames if not frame.filename.startswith((_OWN, "<frozen"))]
    # Prefers the program itself to its installed packages.
    own = [frame for frame in foreign if not _is_installed(frame.filename)]
    last = next(reversed(own or foreign), None)
    return f"{_shorten_path(last.filename)}:{last.lineno}" if last is not None else ""


def describe_exception(error: BaseException) -> str:
    """Describes an exception in one line: its class, its text and its location."""
    try:
        text = " ".join(str(error.msg if isinstance(error, SyntaxError) else error).split())[:500]
    except Exception:  # user code may make the text
        text = ""
    place = find_location(error)
    return f"{type(error).__name__}{f': {text}' if text else ''}{f' ({place})' if place else ''}"


def _is_installed(file: str) -> bool:
    return "site-packages" in file or file.startswith((_LIBRARY, "<"))


def _shorten_path(file: str) -> str:
    path = Path(file)
    return path.relative_to(Path.cwd()).as_posix() if path.is_relative_to(Path.cwd()) else file


# --- modules ----------------------------------------------------------------------------------------------------------


def _module(place: str, directories: list[Path]) -> ModuleType:
    if place.endswith(".py") or "/" in place:
        name, directory = _file_module(place)
        directories = [directory, *directories]
    else:
        name = place
    try:
        return imported(name, directories)
    except ModuleNotFoundError as error:
        if error.name and (name == error.name or name.startswith(f"{error.name}.")):
            raise SpecError(
                f"there is no module {error.name}",
                "run the program where it can be imported from, install it, or name its file: "
                "python:path/to/file.py:function",
            ) from None
        raise _unimportable(place, error) from None
    except (Exception, SystemExit) as error:
        raise _unimportable(place, error) from error


def _unimportable(place: str, error: BaseException) -> SpecError:
    return SpecError(
        f"{place} cannot be imported: {describe_exception(error)}", "it must be importable without arguments"
    )


def _file_module(file: str) -> tuple[str, Path]:
    """Returns the name of a file's module, and its import directory.

    Files of packages are imported as parts of these.
    """
    path = Path(file).resolve()
    if path.is_dir():
        raise SpecError(f"{file} is a directory", "name a file that ends in .py")
    if not path.is_file():
        near = nearest(path.name, [p.name for p in path.parent.glob("*.py")])
        raise SpecError(f"there is no file {file}", f"did you mean {Path(file).parent / near[0]}?" if near else "")
    parts = [] if path.stem == "__init__" else [path.stem]
    directory = path.parent
    while (directory / "__init__.py").is_file():
        parts.insert(0, directory.name)
        directory = directory.parent
    name = ".".join(parts)
    if is_reserved(name) or _stands_for(name) not in (None, path):
        return _load_file(path), path.parent
    return name, directory


def _stands_for(name: str) -> Path | None:
    """Returns the file that an import of a name would load, `None` if there is none, `Path()` for an invalid name."""
    if not all(part.isidentifier() for part in name.split(".")):
        return Path()
    if "." in name:
        return None
    try:
        spec = importlib.util.find_spec(name)
    except ValueError:  # the program itself
        return Path()
    return Path(spec.origin or "").resolve() if spec else None


def _load_file(path: Path) -> str:
    """Loads a file whose name is no valid module name, or imports another module. Returns its import name."""
    name = f"_handwritten_{abs(hash(str(path)))}"
    if name not in sys.modules:
        admit(path.parent)
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec
        assert spec.loader
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        try:
            with reaching():
                spec.loader.exec_module(module)
        except (Exception, SystemExit) as error:
            del sys.modules[name]
            raise _unimportable(_shorten_path(str(path)), error) from None
    return name


# --- suggestions ------------------------------------------------------------------------------------------------------


def _near(part: str, owner: Any) -> str:
    names = list(_callables(owner))
    near = nearest(part, names)
    if near:
        return f"did you mean {near[0]}?"
    return f"it has {', '.join(names[:8])}" if names else ""


def _callables(owner: Any) -> Iterable[str]:
    module = owner.__name__ if isinstance(owner, ModuleType) else getattr(owner, "__module__", None)
    for name, value in vars(owner).items() if hasattr(owner, "__dict__") else ():
        is_own = getattr(value, "__module__", None) == module
        if not name.startswith("_") and callable(value) and is_own:
            yield name


@dataclass(frozen=True, slots=True)
class FunctionSpec(NamedSpec):
    """`module:function` or `path/to/file.py:function`."""

    scheme: ClassVar[str] = "python"

    def check(self) -> None:
        self.side().open()

    def side(self, shapes: Shapes | None = None) -> FunctionSide:
        return FunctionSide(self.name, shapes, self.options.directory)


class FunctionSide(Side):
    """Calls a function. Its output goes to standard error, and its changes of objects have no effect."""

    def __init__(self, name: str, shapes: Shapes | None = None, directory: str = "") -> None:
        self.name = name
        self._directory = directory
        self._shapes = shapes
        self._request: Request | None = None
        self._adapted: Adapted | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def open(self) -> None:
        with contextlib.redirect_stdout(sys.stderr):
            function = load(self.name, self._directory)
        try:
            self._adapted = adapt(function, shape=lambda _: self._shape())
        except HandwrittenError as error:
            raise SpecError(str(error)) from None

    def close(self) -> None:
        loop, self._loop = self._loop, None
        if loop:
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.close()

    def ask(self, requests: Sequence[Request]) -> list[Answer]:
        with contextlib.redirect_stdout(sys.stderr), reaching():
            return [self._answer(request) for request in requests]

    def _answer(self, request: Request) -> Answer:
        assert self._adapted
        try:
            self._request = request
            found = call_copied(self._adapted, request)
            return self._awaited(found) if inspect.isawaitable(found) else list(found)
        except HandwrittenError as error:
            return Refusal(str(error))
        except KeyboardInterrupt:
            raise
        except RecursionError as error:
            return Refusal(f"{self.name} went too deep: {find_location(error) or 'the object is nested too deeply'}")
        except BaseException as error:  # a crash on one object must not affect the answers about others
            return Refusal(f"{self.name} crashed: {describe_exception(error)}")

    def _shape(self) -> Shape | None:
        """Returns the shape of the current object. Only foreign error types need it."""
        return self._shapes(self._request) if self._shapes and self._request else None

    def _awaited(self, found: Any) -> Answer:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
        errors: Answer = self._loop.run_until_complete(found)
        return errors


def call_copied(function: Adapted, request: Request) -> Any:
    """Calls a function with copies of the objects: it may set defaults, which the other side must not see."""
    operation = Operation(request.options, update=request.update)
    return function(_copy(request.obj), _copy(request.old), operation, request.subresource)


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _copy(item) for name, item in value.items()}
    return [_copy(item) for item in value] if isinstance(value, list) else value
