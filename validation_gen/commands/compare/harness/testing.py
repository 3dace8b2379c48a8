"""Runtime of the written tests: checks that handwritten and generated validators agree about a request."""

from __future__ import annotations

import asyncio
import inspect
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from validation_gen.commands.compare.grouping import Declarations, quote
from validation_gen.commands.compare.harness.cases import Rule
from validation_gen.commands.compare.judge import ComparisonConfig, Judge
from validation_gen.commands.compare.report import render_text
from validation_gen.commands.compare.requests import Request
from validation_gen.commands.compare.results import Results
from validation_gen.commands.compare.sides import Answer, Side
from validation_gen.commands.compare.sides.functions import call_copied
from validation_gen.commands.coverage import roots
from validation_gen.commands.edgecases import Drawing, RandomSource, ValueSpecs, shrink, subject
from validation_gen.commands.written_tests import read_settings
from validation_gen.compiler.pipeline import build_program
from validation_gen.ir import Program
from validation_gen.mismatch.adapters import Adapted, adapt
from validation_gen.mismatch.expected import Expectations, general_path
from validation_gen.runtime.levels import Level
from validation_gen.runtime.registry import Kind, Registry

_WIDTH = 100


class _Functions(Side):
    """The handwritten side: a function for each kind, sync or async. An exception in one is an error of the test."""

    def __init__(self, functions: Mapping[tuple[str, str], Adapted]) -> None:
        self._functions = functions

    def ask(self, requests: Sequence[Request]) -> list[Answer]:
        return [self._ask(request) for request in requests]

    def _ask(self, request: Request) -> Answer:
        found = call_copied(self._functions[request.package, request.kind], request)
        return list(asyncio.run(found) if inspect.iscoroutine(found) else found)


class Agreement:
    """Both validators of some kinds.

    Args:
        registry: the generated package's registry.
        handwritten: the handwritten validator of each type, by `package/path.Name`.
        sources: locations of the tagged types, for drawing requests and for explanations.
        settings: the other arguments of `read_settings`.

    Raises:
        ValueError: the generated package has no such type, or the sources have errors.
    """

    def __init__(
        self,
        registry: Registry,
        handwritten: Mapping[str, Callable[..., Any]],
        sources: Sequence[Path],
        **settings: Any,
    ) -> None:
        self._registry = registry
        self._kinds = [_kind(registry, type) for type in handwritten]
        functions = {
            (kind.package, kind.name): adapt(function, shape=registry.shape(kind))
            for kind, function in zip(self._kinds, handwritten.values(), strict=True)
        }
        result = build_program(read_settings(sources, **settings))
        if result.diagnostics.has_errors:
            raise ValueError("\n".join(f"{d.span}: {d.message}" for d in result.diagnostics.sorted()))
        declarations = self._declarations = Declarations.from_program(result.program, registry)
        manner = ComparisonConfig(options=dict.fromkeys(sorted(declarations.options), False))
        self._judge = Judge(registry, declarations, _Functions(functions), manner, Expectations())
        self._drawings = self._make_drawings(result.program)

    def _make_drawings(self, program: Program) -> list[Drawing]:
        places = ValueSpecs(program)
        wanted = {(kind.package, kind.name) for kind in self._kinds}
        found = [subject(places, self._registry, package, root) for package, root in roots(program, wanted)]
        return [Drawing(each, RandomSource(random.Random(0))) for each in found if each is not None]  # noqa: S311

    def check(self, request: Request) -> None:
        """Compares both answers to a request.

        Raises:
            AssertionError: they differ. The message has the smallest request that shows it, and the cause.
        """
        results = self._judge.judge([request])
        if not results.mismatches and not results.bad:
            return
        if results.mismatches:
            groups = results.groups.keys()
            smallest = shrink(request, lambda smaller: bool(self._judge.judge([smaller]).groups.keys() & groups))
            results = self._judge.judge([smallest])
            for group in results.groups.values():
                quote(group, self._declarations)
        raise AssertionError(_render_mismatches(results))

    def breaks(self, request: Request, rule: Rule) -> bool:
        """Returns whether the generated validators report that a request breaks a rule."""
        kind = _kind(self._registry, rule.type)
        errors = self._registry.run(
            kind,
            request.obj,
            request.old,
            update=request.update,
            options=request.options,
            subresource=request.subresource,
            level=Level.ALPHA,
        )
        wanted = (rule.path, rule.error, rule.origin, rule.tag)
        return any((general_path(e.field), e.type.value, e.origin, e.tag) == wanted for e in errors)

    def draw(self, number: int) -> Request:
        """Returns a request near the rules of one of the kinds; the same number gives the same one."""
        chance = random.Random(number)  # noqa: S311 - examples are no secrets
        drawing = self._drawings[chance.randrange(len(self._drawings))]
        drawing.source = RandomSource(chance)
        return Request.of_probe(drawing.request(), f"draw({number})")


def _kind(registry: Registry, type: str) -> Kind:
    package, _, name = type.rpartition(".")
    found = registry.of_type(name, package)
    if len(found) != 1:
        raise ValueError(f"the generated package has no type {type}: generate it anew")
    return found[0]


def _render_mismatches(results: Results) -> str:
    return "\n".join(["the validators do not agree", render_text(results, color=False, width=_WIDTH)])
