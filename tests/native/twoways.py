"""Requests to the native accept path and to Python, which alone decides: in two ways, and in several orders."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from tests.case_folders import Case, Request
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.registry import Kind, Registry

#: Tests of native code are skipped where it has not been built. They fail where it was built of other sources.
needs_native = pytest.mark.usefixtures("native_code")


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
        acceptor = self._acceptor()
        return acceptor is not None and acceptor(*self._objects())

    def located(self) -> Any:
        """Returns the part that native code names, `None` if there is none; true for a certainly valid request."""
        acceptor = self._acceptor()
        return None if acceptor is None else acceptor.locate(*self._objects())

    def _acceptor(self) -> Any:
        fastpath = self.registry._validator(self.kind)._fastpath
        if self.subresource not in (self.kind.subresources or ()) or fastpath is None or not isinstance(self.obj, dict):
            return None
        return fastpath.find_acceptor(Operation(self.options, update=self.update))

    def _objects(self) -> tuple[Any, ...]:
        return (self.obj, self.old) if self.update else (self.obj,)

    def errors(self) -> list[FieldError]:
        """Returns the errors of pure Python."""
        validator = self.registry._validator(self.kind)
        kept, validator._fastpath = validator._fastpath, None
        try:
            return self._run()
        finally:
            validator._fastpath = kept

    def _run(self) -> list[FieldError]:
        return self.registry.run(
            self.kind,
            self.obj,
            self.old,
            update=self.update,
            options=self.options,
            subresource=self.subresource,
            level="alpha",
        )

    def agree(self) -> bool:
        """Checks that native code and Python have the same errors. Returns true for a certainly valid request."""
        self.registry._validator(self.kind)._warmup_left = 0
        certain, errors = self.certain(), self.errors()
        assert not (certain and errors), (self.kind.name, self.obj, self.old, self.options)
        assert [all_of(error) for error in self._run()] == [all_of(error) for error in errors], (self.obj, self.old)
        return certain


def find_kind(case: Case, request: Request) -> Kind | None:
    """Returns the kind of a request of a case if native code can judge it."""
    package, _, name = request.type.rpartition(".")
    registry = case.registry()
    found = registry.of_type(name, package) if name else list(filter(None, [registry.of_object(request.obj)]))
    return found[0] if len(found) == 1 and not found[0].schemas else None


def vary(case: Case, request: Request, kind: Kind) -> list[Asked]:
    """Returns a request of a case, and others with its objects."""
    registry, rest = case.registry(), (request.options, request.subresource)
    found = [Asked(registry, kind, request.obj, request.old, request.op == "update", *rest)]
    for obj in (request.obj, request.old):
        if obj is not None:
            found.append(Asked(registry, kind, obj, None, False, *rest))
            found.append(Asked(registry, kind, obj, copy.deepcopy(obj), True, *rest))
    if request.old is not None:
        found.append(Asked(registry, kind, request.old, request.obj, True, *rest))
    return found


#: Judges a request by a registry.
Ask = Callable[[Registry], list[FieldError]]


def fresh(registry: Registry, *, pure: bool = False, warm: bool = False) -> Registry:
    """Returns a registry of the same kinds whose validators have judged nothing.

    Args:
        registry: the kinds.
        pure: without native code, as with `VALIDATION_GEN_PURE=1`.
        warm: with tables from the first request on.
    """
    found = Registry(registry.package, registry.kinds)
    for kind in found.kinds if pure or warm else ():
        validator = found._validator(kind)
        validator._warmup_left = 0
        if pure:
            validator._fastpath = None
    return found


def check_orders(registry: Registry, asks: Sequence[Ask]) -> None:
    """Compares the answer to each request alone with its answers in three orders and after many others.

    The whole answer is compared, with the order of its errors: of native code and of pure Python, before warm-up and
    after.
    """

    def answer(index: int, registry: Registry) -> list[tuple[Any, ...]]:
        return [all_of(error) for error in asks[index](registry)]

    places = list(range(len(asks)))
    alone = [answer(i, fresh(registry)) for i in places]
    shuffled = random.Random(1).sample(places, len(places))
    for pure in (False, True):
        for order in (places, places[::-1], shuffled):
            cold, warm = fresh(registry, pure=pure), fresh(registry, pure=pure, warm=True)
            for i in order:
                for state, each in (("cold", cold), ("warm", warm)):
                    assert (found := answer(i, each)) == alone[i], (i, state, f"pure={pure}", found, alone[i])
        for _ in range(max(1, 128 // len(asks))):
            for i in shuffled:
                asks[i](warm)
        for i in places:
            assert (found := answer(i, warm)) == alone[i], (i, "after many", f"pure={pure}", found, alone[i])


def all_of(error: FieldError) -> tuple[Any, ...]:
    """All that is in an error. Bad values are compared by their text, as some equal nothing."""
    return (
        *(error.type, error.field, error.place, repr(error.bad_value), error.detail, error.origin, error.marks),
        *(error.tag, error.rule.place, error.level, error.short_circuit, error.json_string, str(error)),
    )
