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
        op = Operation(self.options, update=self.update)
        validator._left = 0
        return validator._certainly(self.obj, self.old, op) and self.subresource in (self.kind.subresources or ())

    def errors(self) -> list[FieldError]:
        """What Python says."""
        validator = self.registry._validator(self.kind)
        kept, validator._acceptance = validator._acceptance, None
        try:
            return validator.run(
                self.obj, self.old, update=self.update, options=self.options, subresource=self.subresource
            )
        finally:
            validator._acceptance = kept

    def agree(self) -> bool:
        """Asks in both ways, and returns whether native code was sure."""
        sure = self.certain()
        if sure:
            told = [str(error) for error in self.errors()]
            assert told == [], (self.kind.name, self.obj, self.old, self.options)
        return sure
