"""A side for each kind: routes each request to the side in the project's settings."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from validation_gen.uses.compare.requests import Request
from validation_gen.uses.compare.sides.options import SideSpec
from validation_gen.uses.compare.sides.untrusted import Answer, Opened, Refusal, Shapes, Side
from validation_gen.uses.coverage import is_package

#: The import path of a package, or the end of one, and the name of a kind in it.
Route = tuple[str, str]


@dataclass(frozen=True, slots=True)
class RoutedSpec:
    """A side for each of some kinds."""

    routes: tuple[tuple[Route, SideSpec], ...]

    @property
    def hears_options(self) -> bool:
        """True if all of them receive options."""
        return all(spec.hears_options for _, spec in self.routes)

    def check(self) -> None:
        """Raises SpecError if one of the sides cannot be made."""
        for _, spec in self.routes:
            spec.check()

    def side(self, shapes: Shapes | None = None) -> RoutedSide:
        return RoutedSide({route: spec.side(shapes) for route, spec in self.routes})


class RoutedSide(Opened):
    """Calls the side of each request's kind. Kinds without a side are refused."""

    def __init__(self, sides: dict[Route, Side]) -> None:
        self._sides = sides
        self._stack = ExitStack()

    def open(self) -> None:
        with ExitStack() as stack:
            for side in self._sides.values():
                stack.enter_context(side)
            self._stack = stack.pop_all()

    def close(self) -> None:
        self._stack.close()

    def ask(self, requests: Sequence[Request]) -> list[Answer]:
        answers: list[Answer] = [Refusal("no handwritten validator is named for this kind")] * len(requests)
        for route, side in self._sides.items():
            own = [index for index, each in enumerate(requests) if _is_for(route, each)]
            if own:
                for index, answer in zip(own, side.ask([requests[index] for index in own]), strict=True):
                    answers[index] = answer
        return answers


def _is_for(route: Route, request: Request) -> bool:
    package, kind = route
    return request.kind == kind and is_package(request.package, package)
