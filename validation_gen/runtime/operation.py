"""The request around a validated object."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

#: Requests share it, so that it must be immutable.
_NO_OPTIONS: Mapping[str, bool] = MappingProxyType({})


class Operation:
    """The validation options of a request.

    Options are feature switches by name. One that the request does not define is neither on nor off: rules that
    depend on it answer with an internal error (Kubernetes 1.37).
    """

    __slots__ = ("options", "update")

    #: True if traced code reports its checks to the operation.
    traces = False

    def __init__(self, options: Mapping[str, bool] | None = None, *, update: bool = False) -> None:
        #: True if an old object is replaced, False if a new one is created.
        self.update = update
        self.options: Mapping[str, bool] = (
            MappingProxyType({k if isinstance(k, str) else str(k): bool(v) for k, v in options.items()})
            if options
            else _NO_OPTIONS
        )

    def restart(self) -> None:
        """Forgets the reported checks of a run that has met a value of the wrong type."""

    def option(self, name: str) -> bool | None:
        """Returns the state of an option, `None` when it is not defined."""
        return self.options.get(name)
