"""One request asked in two ways: of the native accept path, and of Python, which alone decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from validation_gen.runtime import native
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.registry import Kind, Registry

#: Tests of native code are skipped where it has not been built.
needs_native = pytest.mark.skipif(native.accept is None, reason=f"validators run {native.told}")


@dataclass(frozen=True, slots=True)
class Asked:
    """A request of a kind, as validators get it."""

    registry: Registry
    kind: Kind
    obj: Any
    old: Any = None
    update: bool = False
    options: Mapping[str, bool] | None = None
    subresource: str = "/"

    def certain(self) -> bool:
        """Whether native code is sure of the request."""
        validator = self.registry._validator(self.kind)
        if self.looked() is None or validator._acceptance is None:
            return False
        acceptor = validator._acceptance.of(Operation(self.options, update=self.update))
        if acceptor is not None and self.update and self.old is None:  # which a call would take for a create
            return bool(acceptor.look(self.obj, None) == [])
        return acceptor is not None and bool(acceptor(self.obj, self.old if self.update else None))

    def looked(self) -> Any:
        """What native code has to say of the request."""
        if self.subresource not in (self.kind.subresources or ()):
            return None
        validator = self.registry._validator(self.kind)
        validator._left = 0
        return validator._looked(self.obj, self.old, Operation(self.options, update=self.update))

    def errors(self) -> list[FieldError]:
        """What Python says."""
        validator = self.registry._validator(self.kind)
        kept, validator._acceptance = validator._acceptance, None
        try:
            return self._run()
        finally:
            validator._acceptance = kept

    def _run(self) -> list[FieldError]:
        return self.registry._validator(self.kind).run(
            self.obj, self.old, update=self.update, options=self.options, subresource=self.subresource
        )

    def agree(self) -> bool:
        """Asks in both ways, and returns whether native code was sure."""
        found = self.looked()
        if found is None:
            return False
        told = [all_of(error) for error in self.errors()]
        if isinstance(found, list):
            assert [all_of(error) for error in found] == told, (self.kind.name, self.obj, self.old, self.options)
        else:  # functions are watched, and may be known the next time
            for _ in range(2):
                again = [all_of(error) for error in self._run()]
                assert again == told, (self.kind.name, self.obj, self.old, self.options)
        return self.certain()


def all_of(error: FieldError) -> tuple[Any, ...]:
    """All that is in an error. Bad values are compared by their text, as some equal nothing."""
    return (
        *(error.type, error.field, error.place, repr(error.bad_value), error.detail, error.origin, error.marks),
        *(error.tag, error.rule.place, error.level, error.short_circuit, error.json_string, str(error)),
    )
