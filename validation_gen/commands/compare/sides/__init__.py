"""Sources of the handwritten answers: a Python function, another program, or an admission webhook.

A side takes many requests at once and answers each with errors or with the reason why there is no answer. Each worker
process has one, made from a specification that can be pickled. Nothing here judges an answer.
This module parses the text that names a side, and routes requests to the sides of their kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from validation_gen.commands.compare.requests import Request
from validation_gen.commands.compare.sides.commands import CommandSpec
from validation_gen.commands.compare.sides.functions import FunctionSpec
from validation_gen.commands.compare.sides.untrusted import (
    Answer,
    NamedSpec,
    Refusal,
    Shapes,
    Side,
    SideOptions,
    SideSpec,
    SpecError,
)
from validation_gen.commands.compare.sides.webhooks import WebhookSpec
from validation_gen.commands.coverage import is_package
from validation_gen.runtime.words import nearest

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


class RoutedSide(Side):
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


_FORMS = "python:module:function, exec:COMMAND or webhook:URL"
_MAKERS: dict[str, Callable[[str, SideOptions], SideSpec]] = {
    each.scheme: each for each in (FunctionSpec, CommandSpec, WebhookSpec)
}


def parse_spec(text: str, options: SideOptions | None = None, *, check: bool = True) -> SideSpec:
    """Parses `python:module:function`, `exec:COMMAND` or `webhook:URL`.

    The path to a file can replace the module. Checking imports the module of a function.

    Raises:
        SpecError: the text has none of these forms.
    """
    scheme, _, rest = text.partition(":")
    make = _MAKERS.get(scheme)
    if make is None:
        raise SpecError(f"{text!r:.200} does not say how to ask it", _suggest(scheme, rest, text))
    spec = make(rest, options or SideOptions())
    if check:
        spec.check()
    return spec


def render_spec(spec: SideSpec) -> tuple[str, SideOptions]:
    """Returns the text and the options of a side, the arguments of `parse_spec`."""
    assert isinstance(spec, NamedSpec)
    return f"{spec.scheme}:{spec.name}", spec.options


def _suggest(scheme: str, rest: str, text: str) -> str:
    if scheme in ("http", "https"):
        return f"write webhook:{text}"
    near = nearest(scheme.lower(), _MAKERS, cutoff=0.75)
    if near and rest:
        return f"write {near[0]}:{rest}"
    if rest and (scheme.endswith(".py") or scheme.replace(".", "_").isidentifier()):
        return f"write python:{text}"
    first = text.split(maxsplit=1)[:1]
    if first and Path(first[0]).is_file() and not text.endswith(".py"):
        return f"write exec:{text}"
    return f"write {_FORMS}"


__all__ = ["Answer", "Refusal", "RoutedSpec", "Side", "SideOptions", "SideSpec", "SpecError", "parse_spec"]
