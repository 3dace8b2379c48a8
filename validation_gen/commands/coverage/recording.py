"""Records the errors that validators of this process return, as results of tests for `coverage --tests`.

All validators return their errors through one class of the runtime, of which vendored packages have copies. The class
is wrapped where it is loaded already, and when it is imported.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

from validation_gen.mismatch.expected import general_path

_MODULE = "validation_gen.runtime.validator"
_VENDORED = "._vendored.runtime.validator"
_METHODS = ("__call__", "run")

#: Package, API version, kind, path, type and origin of an error. The package is empty where the API version is known.
Record = tuple[str, str, str, str, str, str]


class Recorder(MetaPathFinder):
    """Records errors between `start` and `stop`.

    Attributes:
        verdicts: the number of verdicts.
        records: an error for each kind, general path, type and origin, as it was first returned.
    """

    def __init__(self) -> None:
        self.verdicts = 0
        self.records: dict[Record, Record] = {}
        self._wrapped: list[tuple[Any, dict[str, Any]]] = []

    def start(self) -> None:
        """Wraps the validators that are loaded now, and those that are loaded later."""
        sys.meta_path.insert(0, self)
        for name, module in list(sys.modules.items()):
            if _has_validator(name):
                self._wrap(module)

    def stop(self) -> None:
        """Restores all validators."""
        sys.meta_path.remove(self)
        for validator, methods in self._wrapped:
            for name, method in methods.items():
                setattr(validator, name, method)
        self._wrapped.clear()

    def add(self, verdicts: int, records: Iterable[Sequence[str]]) -> None:
        """Adds the records of another process."""
        self.verdicts += verdicts
        for package, version, kind, path, type, origin in records:
            self._keep((package, version, kind, path, type, origin))

    def lines(self) -> Iterator[str]:
        """Yields the records as lines for `coverage --tests`."""
        for package, version, kind, path, type, origin in sorted(self.records.values()):
            error = {"type": type, "field": path, "origin": origin}
            known = {"package": package} if package else {"apiVersion": version}
            yield json.dumps({**known, "kind": kind, "errors": [error]}, ensure_ascii=False)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Returns the usual spec of a module with validators, whose loader wraps them; `None` for others."""
        spec = PathFinder.find_spec(fullname, path, target) if _has_validator(fullname) else None
        if spec is None or spec.loader is None:
            return None
        execute = spec.loader.exec_module

        def exec_module(module: ModuleType) -> None:
            execute(module)
            self._wrap(module)

        spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec

    def _wrap(self, module: ModuleType) -> None:
        validator = module.Validator
        methods = {name: getattr(validator, name) for name in _METHODS}
        self._wrapped.append((validator, methods))
        for name, method in methods.items():
            setattr(validator, name, self._recording(method))

    def _recording(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def recording(validator: Any, *args: Any, **named: Any) -> Any:
            errors = method(validator, *args, **named)
            self.verdicts += 1
            kind = validator.kind
            for error in errors:
                package = "" if kind.api_version else kind.package
                self._keep((package, kind.api_version, kind.name, error.field, error.type.value, error.origin))
            return errors

        return recording

    def _keep(self, record: Record) -> None:
        package, version, kind, path, type, origin = record
        self.records.setdefault((package, version, kind, general_path(path), type, origin), record)


def _has_validator(name: str) -> bool:
    return name == _MODULE or name.endswith(_VENDORED)
