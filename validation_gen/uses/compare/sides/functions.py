"""Handwritten validation in a Python function, called in the comparing process."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from validation_gen.emit.loading.generated import reaching
from validation_gen.mismatch.adapters import Adapted, HandwrittenError, adapt
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.shapes import Shape
from validation_gen.uses.compare.requests import Request
from validation_gen.uses.compare.sides.answer import Answer, Opened, Refusal, Shapes, SpecError
from validation_gen.uses.compare.sides.loading import load, place_of, said
from validation_gen.uses.compare.sides.options import SideOptions


@dataclass(frozen=True, slots=True)
class FunctionSpec:
    """`module:function` or `path/to/file.py:function`."""

    name: str
    options: SideOptions

    @property
    def hears_options(self) -> bool:
        """True: the function gets the options."""
        return True

    def check(self) -> None:
        self.side().open()

    def side(self, shapes: Shapes | None = None) -> FunctionSide:
        return FunctionSide(self.name, shapes, self.options.directory)


class FunctionSide(Opened):
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
            obj, old = copied(request.obj), copied(request.old)
            found = self._adapted(obj, old, Operation(request.options, update=request.update), request.subresource)
            return self._awaited(found) if inspect.isawaitable(found) else list(found)
        except HandwrittenError as error:
            return Refusal(str(error))
        except KeyboardInterrupt:
            raise
        except RecursionError as error:
            return Refusal(f"{self.name} went too deep: {place_of(error) or 'the object is nested too deeply'}")
        except BaseException as error:  # a crash on one object must not affect the answers about others
            return Refusal(f"{self.name} crashed: {said(error)}")

    def _shape(self) -> Shape | None:
        """Returns the shape of the current object. Only foreign error types need it."""
        return self._shapes(self._request) if self._shapes and self._request else None

    def _awaited(self, found: Any) -> Answer:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
        errors: Answer = self._loop.run_until_complete(found)
        return errors


def copied(value: Any) -> Any:
    """Returns a copy of decoded JSON: handwritten validators may set defaults, which the other side must not see."""
    if isinstance(value, dict):
        return {name: copied(item) for name, item in value.items()}
    return [copied(item) for item in value] if isinstance(value, list) else value
