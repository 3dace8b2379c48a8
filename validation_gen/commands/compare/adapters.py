"""Interface for other engines: a comparison as bytes, the results of lines, and their merging.

    comparison = Comparison.of(["apis"], "python:checks:validate")             # once, where the types are
    part = compare_partition(lines, comparison.packed, name="a", number=3)     # in any process, on any machine
    total.merge(part)                                                          # `Results`, in any order and grouping
    comparison.finished(total)                                                 # once: the input of reports

Any engine can send the arguments: they are lines, bytes and texts, and the function is one of a module. `Results` can
be pickled; `as_data` and `of_data` serialise them without pickle. The lines are not trusted. Nothing here prints or
writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import date
from functools import partial

from validation_gen.commands.compare.judge import ComparisonConfig
from validation_gen.commands.compare.partitioned import compare_lines
from validation_gen.commands.compare.portions import Job
from validation_gen.commands.compare.regressions import read_expected
from validation_gen.commands.compare.results import Results
from validation_gen.commands.compare.run import Run
from validation_gen.commands.compare.sides import SideSpec, SpecError, parse_spec
from validation_gen.commands.compare.work import Plan, Work
from validation_gen.commands.definitions import split
from validation_gen.commands.distributed import worker
from validation_gen.commands.distributed.worker import RefusedError
from validation_gen.compiler.pipeline import Settings, build_files, build_program
from validation_gen.diagnostics import Diagnostics, Severity
from validation_gen.emit.loading.generated import load_registry

__all__ = [
    "Comparison",
    "ComparisonConfig",
    "ComparisonError",
    "Manner",
    "RefusedError",
    "Results",
    "Settings",
    "SpecError",
    "compare_partition",
]


#: Former name of `ComparisonConfig`, kept for one release.
Manner = ComparisonConfig


class ComparisonError(Exception):
    """Raised if no comparison is possible: the text names the problem of the types or of the expected differences."""


@dataclass(frozen=True, slots=True)
class LineJudging(Job):
    """Compares lines that the caller has read."""

    def prepare(self, stack: ExitStack) -> Callable[..., Results]:
        """Returns `compare_lines` with a judge of this process."""
        return partial(compare_lines, self.judge_there(stack))


class Comparison:
    """The configuration of a comparison.

    Attributes:
        packed: the configuration as bytes, with a hash and our version. Passwords of webhooks are among them.
    """

    def __init__(self, job: Job, today: date | None = None) -> None:
        self._job = job
        self.packed = worker.pack(LineJudging.from_job(job, today or date.today()))

    @classmethod
    def of(
        cls,
        paths: Sequence[str],
        handwritten: SideSpec | str,
        *,
        expected: Sequence[str] = (),
        manner: ComparisonConfig | None = None,
        settings: Settings | None = None,
    ) -> Comparison:
        """Returns a comparison of types with a handwritten side.

        Args:
            paths: packages with types, and manifests with definitions.
            handwritten: as `--handwritten` has it; a module has to be importable wherever lines are compared.
            expected: files of expected differences.
            manner: how errors are compared, and which validation options are on.
            settings: settings for reading the types, other than the defaults; `paths` replace those in it.

        Raises:
            ComparisonError: the types or the files cannot be used.
            SpecError: the handwritten side cannot be used.
        """
        side = parse_spec(handwritten) if isinstance(handwritten, str) else handwritten
        definitions, sources = split(paths)
        read = replace(settings or Settings(()), paths=tuple(sources), every_type=True)
        built = build_program(read.with_definitions(definitions, sources))
        diagnostics = Diagnostics()
        entries = read_expected(expected, diagnostics)
        for each in (*built.diagnostics.items, *diagnostics.items):
            if each.severity is Severity.ERROR:
                raise ComparisonError(f"{each.span}: {each.message}")
        files = build_files(built.program)
        plan = Plan(side, manner=manner or ComparisonConfig())
        return cls(Work(plan, built.program, files, load_registry(files), diagnostics).job(entries))

    def finished(self, results: Results) -> Results:
        """Completes the merged results for reports: with every declared rule, and with small examples.

        It calls the handwritten side to shrink the examples of the report.
        """
        with Run(self._job) as run:
            run.results = results
            return run.finish()


def compare_partition(lines: Iterable[bytes | str], packed: bytes, *, name: str, number: int = 0) -> Results:
    """Compares lines of JSON, an object or a request each, and returns the results.

    The first call in a process builds the judge, later calls of the same comparison reuse it. A process judges one list
    of lines at a time. A line that cannot be compared is counted, and noted with its reason.

    Args:
        lines: the lines, with or without line ends. Blank ones are skipped, but count as lines.
        packed: `Comparison.packed`.
        name: source of the lines; a location is `name:line`.
        number: the position of the lines in the whole input. Of two like examples the one with the lower number is
            kept, so with numbers the results do not depend on the order of merging.

    Raises:
        RefusedError: this process has another version of ours or of Python, or lacks the handwritten side.
    """
    with worker.ready(packed) as compare:
        results: Results = compare((_bytes(line) for line in lines), name=name, number=number)
        return results


def _bytes(line: bytes | str) -> bytes:
    return line if isinstance(line, bytes) else line.encode("utf-8", "surrogatepass")
