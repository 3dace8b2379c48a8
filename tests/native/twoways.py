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
        """Returns true if native code answers that the request is certainly valid."""
        if self.subresource not in (self.kind.subresources or ()):
            return False
        validator = self.registry._validator(self.kind)
        validator._warmup_left = 0
        return validator._is_certainly_valid(self.obj, self.old, Operation(self.options, update=self.update))

    def errors(self) -> list[FieldError]:
        """Returns the errors of pure Python."""
        validator = self.registry._validator(self.kind)
        kept, validator._acceptance = validator._acceptance, None
        try:
            return validator.run(
                self.obj,
                self.old,
                update=self.update,
                options=self.options,
                subresource=self.subresource,
                level="alpha",
            )
        finally:
            validator._acceptance = kept

    def agree(self) -> bool:
        """Checks that Python has no errors of a certainly valid request. Returns true for such a request."""
        if not self.certain():
            return False
        assert not self.errors(), (self.kind.name, self.obj, self.old, self.options)
        return True


def all_of(error: FieldError) -> tuple[Any, ...]:
    """All that is in an error. Bad values are compared by their text, as some equal nothing."""
    return (
        *(error.type, error.field, error.place, repr(error.bad_value), error.detail, error.origin, error.marks),
        *(error.tag, error.rule.place, error.level, error.short_circuit, error.json_string, str(error)),
    )
