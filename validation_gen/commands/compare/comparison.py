"""Runs a comparison: loads the validators, compares all requests, and reports why it ended early.

Requests without stored objects are drawn: the boundaries of all rules first (extra `[fuzz]`). The same program, number
and seed give the same requests. Hypothesis supplies the choices, a few for many requests, as it takes longer to draw
one than the validators take for an object; it keeps no examples and says nothing about speed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from itertools import count, cycle, islice
from random import Random
from typing import TYPE_CHECKING

from validation_gen.commands.compare.portions import describe_location
from validation_gen.commands.compare.requests import Request
from validation_gen.commands.compare.results import Results
from validation_gen.commands.compare.run import BadInputError, ProgressState
from validation_gen.commands.compare.sides import SpecError
from validation_gen.commands.compare.work import Plan, UnknownKindError, Work
from validation_gen.commands.coverage import Declared, list_declared_errors, roots
from validation_gen.commands.distributed.engines import EngineError, Interruption
from validation_gen.commands.distributed.running import bar, reporting
from validation_gen.commands.edgecases import Drawing, RandomSource, ValueSpecs, boundary_cases, subject
from validation_gen.compiler.pipeline import build_files, build_program, warn_of_markers, warn_of_nothing
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostics, Severity, Span
from validation_gen.emit.loading.generated import import_customs, load_registry
from validation_gen.ir import Program
from validation_gen.runtime.registry import Kind, Registry
from validation_gen.runtime.words import counted

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


#: Values drawn at once: a seed for random numbers, and unusual texts and numbers.
_Choices = tuple[int, list[str], list[int]]

#: Requests made from one draw.
_BATCH = 25
#: Examples of one run of Hypothesis, all drawn before the first request.
_RUN = 40
#: Hypothesis draws constants of the loaded modules. This exceeds all of them, so that the choices depend on the seed
#: alone.
_BEYOND = 2**90
_SCRIPTS = (0x0250, 0x10FFFF)


class MissingHypothesisError(Exception):
    """The extra `[fuzz]` is not installed."""

    def __init__(self) -> None:
        super().__init__("fuzzing needs Hypothesis: pip install 'validation-gen[fuzz]'")


def fuzz(
    program: Program, registry: Registry, n: int, seed: int, kinds: Collection[Kind] | None = None
) -> Iterator[Request]:
    """Yields about `n` requests, of all kinds or of some.

    Where `n` is too small for the boundaries of all rules, each tag gets one rule before any gets a second, and a tenth
    is still drawn.

    Raises:
        MissingHypothesisError: the extra is not installed. This is raised at once, before the first request.
    """
    try:
        import hypothesis  # noqa: F401, PLC0415 - an extra, and slow to import
    except ImportError:
        raise MissingHypothesisError from None
    return _requests(program, registry, n, seed, kinds)


def _requests(
    program: Program, registry: Registry, n: int, seed: int, kinds: Collection[Kind] | None
) -> Iterator[Request]:
    names = None if kinds is None else {(kind.package, kind.name) for kind in kinds}
    left = n
    for request in islice(_boundaries(program, registry, names), n - n // 10):
        left -= 1
        yield request
    yield from islice(_draw_requests(program, registry, names, seed), left)


# --- boundaries ------------------------------------------------------------------------------------------------------


def _boundaries(program: Program, registry: Registry, names: set[tuple[str, str]] | None) -> Iterator[Request]:
    """Yields requests on both sides of the limits of all rules, without duplicates."""
    rules = list_declared_errors(program, names)
    seen: set[str] = set()
    for case in boundary_cases(program, registry, _in_turn(rules)):
        for side, probe in (("breaks", case.failing), ("obeys", case.passing)):
            if probe is not None:
                request = Request.of_probe(
                    probe, f"boundary: {side} {case.rule.tag} at {case.rule.path or 'the object'}"
                )
                text = json.dumps(request.as_line(0), sort_keys=True)
                if text not in seen:
                    seen.add(text)
                    yield request


def _in_turn(rules: list[Declared]) -> list[Declared]:
    """Returns the rules interleaved by tag: the first rule of each tag, then the second of each, and so on."""
    times: dict[object, int] = {}
    turns = []
    for rule in rules:
        tag = (rule.tag, rule.span, rule.type)
        times[tag] = times.get(tag, 0) + 1
        turns.append((times[tag], rule))
    return [rule for _, rule in sorted(turns)]


# --- drawn requests --------------------------------------------------------------------------------------------------


def _draw_requests(
    program: Program, registry: Registry, names: set[tuple[str, str]] | None, seed: int
) -> Iterator[Request]:
    """Yields requests of each kind in turn, endlessly."""
    places = ValueSpecs(program)
    subjects = [
        found
        for package, root in roots(program, names)
        if (found := subject(places, registry, package, root)) is not None
    ]
    drawings = [Drawing(each, RandomSource(Random(seed))) for each in subjects]  # noqa: S311 - for examples only
    if not drawings:
        return
    turns = cycle(drawings)
    number = 0
    for start, texts, numbers in _choices(seed):
        source = RandomSource(Random(start))  # noqa: S311 - for examples only
        for drawing in islice(turns, _BATCH):
            drawing.source, drawing.texts, drawing.numbers = source, texts, numbers
            number += 1
            yield Request.of_probe(drawing.request(), f"drawn: {number} with seed {seed}")


def _choices(seed: int) -> Iterator[_Choices]:
    """Yields the values that Hypothesis draws with a seed, endlessly."""
    for run in count():
        yield from _run(Random(f"{seed} {run}").getrandbits(64))  # noqa: S311 - for examples only


def _run(seed: int) -> list[_Choices]:
    from hypothesis import HealthCheck, Phase, Verbosity, given, settings  # noqa: PLC0415
    from hypothesis import seed as seeded  # noqa: PLC0415

    found: list[_Choices] = []

    @seeded(seed)
    @settings(
        max_examples=_RUN,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    @given(_strategy())
    def collect(choices: _Choices) -> None:
        found.append(choices)

    collect()
    return found


def _strategy() -> SearchStrategy[_Choices]:
    from hypothesis import strategies as st  # noqa: PLC0415

    first, last = _SCRIPTS
    texts = st.text(
        st.characters(min_codepoint=first, max_codepoint=last, exclude_categories=["Cs"]), min_size=1, max_size=8
    )
    numbers = st.integers(_BEYOND, _BEYOND + 2**64).map(lambda number: number - _BEYOND - 2**63)
    return st.tuples(st.integers(_BEYOND, 2 * _BEYOND), st.lists(texts, max_size=2), st.lists(numbers, max_size=2))


def run_comparison(
    plan: Plan,
    chosen: Settings,
    diagnostics: Diagnostics,
    interruption: Interruption,
    progress: Callable[[str], None],
) -> tuple[Work, Results] | None:
    """Runs the comparison. Returns `None` if the diagnostics have the reason why there are no results."""
    result = build_program(chosen, progress)
    warn_of_nothing(result.program, chosen, result.diagnostics)
    warn_of_markers(result, chosen, result.diagnostics)
    files = build_files(result.program)
    registry = load_registry(files)
    import_customs(result.program.custom, chosen.custom, registry, result.diagnostics)
    for each in result.diagnostics.items:
        diagnostics.add(each)
    if any(d.code.startswith("VG9") for d in diagnostics.items if d.severity is Severity.ERROR):
        return None
    work = Work(plan, result.program, files, registry, diagnostics, interruption=interruption)
    results = None
    try:
        with reporting(diagnostics, plan.resume or plan.cases):
            results = work.compare(lambda text: progress(_sentence(text)))
    except SpecError as error:
        diagnostics.error("VG904", error.reason, Span("--handwritten"), error.suggestion)
    except MissingHypothesisError as error:
        diagnostics.error("VG904", str(error), Span("--fuzz"))
    except UnknownKindError as error:
        help = f"did you mean {' or '.join(error.near)}?" if error.near else "write the name of a kind"
        diagnostics.error("VG904", str(error), Span("--kind"), help)
    if results is None:
        return None
    _report_failure(work, results, diagnostics)
    return work, results


def _report_failure(work: Work, results: Results, diagnostics: Diagnostics) -> None:
    """Reports why the comparison ended early or is unusable."""
    failure = work.failure
    if isinstance(failure, BadInputError):
        message = f"an input cannot be compared, and --strict is given: {failure}"
        diagnostics.error("VG901", message, Span("--strict"), "fix the input, or leave --strict out")
    elif isinstance(failure, EngineError):
        diagnostics.error("VG904", str(failure), Span("--cluster"), failure.help)
    elif failure is not None:
        message = f"a process that asks the handwritten side has ended ({failure}); {describe_location(failure.task)}"
        help = "find the object that ends it, and fix the handwritten validation; what follows was not compared"
        diagnostics.error("VG904", message, Span("--handwritten"), help)
    elif results.bad and not results.compared and not results.interrupted:
        message = f"none of the inputs could be compared: {results.notes[0]}"
        help = "name the objects of the types in PATH, and a handwritten side that answers"
        diagnostics.error("VG902", message, Span("--filename"), help)


def _sentence(summary: ProgressState) -> str:
    """Renders the progress of the comparison."""
    if summary.examples:
        return f"making {counted(summary.examples, 'example')} small"
    text = f"comparing {counted(summary.compared, 'object', grouped=True)}, {summary.rate:,.0f}/s"
    done, parts = summary.parts
    if parts:
        text = f"{bar(done, parts)}, {text}"
    if summary.share is not None:
        text += f", {summary.share:.0%}"
    if summary.left is not None:
        minutes, seconds = divmod(round(summary.left), 60)
        text += f", {minutes}:{seconds:02} left"
    text += f", {counted(summary.mismatches, 'mismatch', grouped=True)}"
    return f"{text}, see {summary.dashboard}" if summary.dashboard else text
