"""Runs a comparison: loads the validators, compares all requests, and reports why it ended early."""

from __future__ import annotations

from collections.abc import Callable

from validation_gen.commands.compare.fuzz import MissingHypothesisError
from validation_gen.commands.compare.portions import describe_location
from validation_gen.commands.compare.results import Results
from validation_gen.commands.compare.run import BadInputError, ProgressState, StateError
from validation_gen.commands.compare.sides import SpecError
from validation_gen.commands.compare.work import Plan, UnknownKindError, Work
from validation_gen.commands.distributed.engines import EngineError, Interruption
from validation_gen.commands.distributed.running import bar
from validation_gen.compiler.pipeline import build_files, build_program, warn_of_markers, warn_of_nothing
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostics, Severity, Span
from validation_gen.emit.loading.generated import import_customs, load_registry
from validation_gen.runtime.words import counted


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
        results = work.compare(lambda told: progress(_sentence(told)))
    except SpecError as error:
        diagnostics.error("VG904", error.reason, Span("--handwritten"), error.suggestion)
    except MissingHypothesisError as error:
        diagnostics.error("VG904", str(error), Span("--fuzz"))
    except UnknownKindError as error:
        help = f"did you mean {' or '.join(error.near)}?" if error.near else "write the name of a kind"
        diagnostics.error("VG904", str(error), Span("--kind"), help)
    except EngineError as error:
        diagnostics.error("VG904", str(error), Span("--cluster"), error.help)
    except StateError as error:
        help = "name another file, or delete it to begin anew"
        diagnostics.error("VG904", f"{plan.resume}: {error}", Span("--resume"), help)
    except OSError as error:
        place = Span(str(error.filename or plan.resume or plan.cases))
        message = f"cannot write: {error.strerror or error}"
        diagnostics.error("VG903", message, place, "check the permissions")
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


def _sentence(told: ProgressState) -> str:
    """Renders the progress of the comparison."""
    if told.examples:
        return f"making {counted(told.examples, 'example')} small"
    text = f"comparing {counted(told.compared, 'object', grouped=True)}, {told.rate:,.0f}/s"
    done, parts = told.parts
    if parts:
        text = f"{bar(done, parts)}, {text}"
    if told.share is not None:
        text += f", {told.share:.0%}"
    if told.left is not None:
        minutes, seconds = divmod(round(told.left), 60)
        text += f", {minutes}:{seconds:02} left"
    text += f", {counted(told.mismatches, 'mismatch', grouped=True)}"
    return f"{text}, see {told.dashboard}" if told.dashboard else text
