"""One comparison: the plan, the sources of the requests, and the results at the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import chain, islice

from validation_gen.commands.compare.clustered import Corpus, compare_on, settle
from validation_gen.commands.compare.grouping import Declarations
from validation_gen.commands.compare.inputs import BEHIND, Inputs, Item, sentences
from validation_gen.commands.compare.judge import ComparisonConfig
from validation_gen.commands.compare.meeting import PairedWork, compare_paired_on, spilling, work_on
from validation_gen.commands.compare.portions import Job, Last
from validation_gen.commands.compare.regressions import Entry, load, read_expected, report_expired, report_unused, save
from validation_gen.commands.compare.requests import Request
from validation_gen.commands.compare.results import Results
from validation_gen.commands.compare.run import BadInputError, ProgressMeter, Run, Tell, fingerprint
from validation_gen.commands.compare.sides import SideSpec
from validation_gen.commands.distributed import running
from validation_gen.commands.distributed.dask_engine import DaskEngine
from validation_gen.commands.distributed.engines import Cluster, EngineError, Interruption, WorkerDiedError
from validation_gen.commands.distributed.partitions import USUAL
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.diagnostics.visible import redact
from validation_gen.ir import Program
from validation_gen.runtime.registry import Kind, Registry
from validation_gen.runtime.words import nearest

#: Version of the order of requests: a state has the number of finished ones, so a new order needs a new number.
_READ_AS = 2


class UnknownKindError(Exception):
    """A requested kind does not exist. `near` are similar names."""

    def __init__(self, type: str, names: Iterable[str]) -> None:
        super().__init__(f"there is no kind {type}")
        self.near = nearest(type.rpartition(".")[2], sorted(set(names)), most=3)


@dataclass(frozen=True, slots=True)
class Plan:
    """Description of a comparison.

    Attributes:
        handwritten: source of the other answers.
        objects: files, folders or `-` with objects.
        old: the same with old objects.
        fuzz: the number of drawn requests, and `seed` their seed.
        kinds: the only kinds for which requests are drawn (`Name` or `package/path.Name`), empty for all.
        cases: a folder with cases of earlier comparisons, which also takes new ones; `""` for none.
        expected: files of expected differences.
        manner: how errors are compared.
        jobs: the number of processes.
        strict: True if the first input that cannot be compared ends the run.
        resume: the file with the checkpoint, `""` for none.
        cluster: cluster that compares the objects, `None` for this machine and its processes.
        partition_bytes: size of the part of a file that a process of a cluster reads at once.
        most_bad: number of partitions that may fail before the comparison ends.
        spill: a directory or URL that all processes of a cluster can write, `""` for a temporary one of this
            machine.
        column: the column of Parquet files that holds objects, `""` for the only one that holds texts.
        about: description of the comparison for reports.
    """

    handwritten: SideSpec
    objects: tuple[str, ...] = ()
    old: tuple[str, ...] = ()
    fuzz: int = 0
    seed: int = 0
    kinds: tuple[str, ...] = ()
    cases: str = ""
    expected: tuple[str, ...] = ()
    manner: ComparisonConfig = field(default_factory=ComparisonConfig)
    jobs: int = 1
    strict: bool = False
    resume: str = ""
    cluster: Cluster | None = None
    partition_bytes: int = USUAL
    most_bad: int = 10
    spill: str = ""
    column: str = ""
    about: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Work:
    """A plan and its inputs.

    Attributes:
        program: the tagged types, `files` the generated package as text, `registry` the same imported.
        diagnostics: takes problems of files and arguments.
        saved: the files of new cases.
        interruption: ends the comparison early.
        failure: the exception that ended the comparison early, beside that.
        declarations: declarations of the program.
    """

    plan: Plan
    program: Program
    files: Mapping[str, str]
    registry: Registry
    diagnostics: Diagnostics
    saved: list[str] = field(default_factory=list)
    interruption: Interruption = field(default_factory=Interruption)
    failure: BadInputError | WorkerDiedError | EngineError | None = None
    declarations: Declarations = field(init=False)

    def __post_init__(self) -> None:
        self.declarations = Declarations.from_program(self.program, self.registry)

    def compare(self, tell: Tell) -> Results | None:
        """Compares everything, and completes the results. Returns `None` if the diagnostics prevent a comparison.

        Raises:
            MissingHypothesisError: requests are to be drawn, and the extra is not installed.
            OSError: the state or a case cannot be written.
            SpecError: the handwritten side cannot be started.
            CheckpointError: the file of the state is that of another comparison.
            UnknownKindError: a kind for drawn requests does not exist.
        """
        plan = self.plan
        entries = read_expected(plan.expected, self.diagnostics)
        if any(found.code == "VG901" for found in self.diagnostics.items):
            return None  # with a file missing, all expected differences would be mismatches
        today = date.today()
        report_expired(entries, today, self.diagnostics)
        drawn = self._drawn()
        job = self.job(entries)
        pace = ProgressMeter()
        with ExitStack() as stack:
            here, old = ((), ()) if plan.cluster else (plan.objects, plan.old)
            inputs = stack.enter_context(Inputs(here, self.diagnostics, old=old, column=plan.column))
            state = "" if plan.cluster else plan.resume  # a cluster has its own checkpoint
            run = Run(job, plan.jobs, plan.strict, state, interruption=self.interruption)
            stack.enter_context(run)
            objects, old_objects = (tuple(map(redact, each)) for each in (plan.objects, plan.old))
            asked = [_READ_AS, objects, old_objects, plan.cases, plan.fuzz, plan.seed, plan.kinds, plan.column]
            run.fingerprint = fingerprint(job, [repr(each) for each in asked], plan.about)
            run.tell = lambda run, last: tell(pace.measure(run.items, run.results, _whole(plan, run, last, inputs)))
            done = run.resume()
            clustered = None
            run.judge()  # reports problems of the handwritten side before reading
            if plan.cluster:
                clustered = self._add_clustered(run, plan.cluster, drawn, tell, pace, stack)
            else:
                cases = load(plan.cases, self.diagnostics) if plan.cases else []
                run.add(chain(cases[done:], inputs.read_items(skip=max(0, done - len(cases)))))
                if plan.fuzz and not run.results.interrupted:
                    done = max(0, done - len(cases) - inputs.count)
                    run.add(islice(drawn, done, None), (BEHIND, done))
            run.results.about = dict(plan.about)
            run.results.notes += inputs.sentences()
            results = run.finish(tell)
            if clustered is not None and clustered.kept is not None:
                run.unsaved = clustered.kept.unsaved
                if not results.interrupted:
                    clustered.remove_state()
            self.interruption.hold()  # the remaining steps are short
        self.failure = run.failure
        if run.unsaved:
            message = f"cannot write: {run.unsaved.strerror or run.unsaved}"
            self.diagnostics.error("VG903", message, Span(plan.resume), "name another file with --resume")
        self._report_options(results)
        if not results.interrupted:
            report_unused(entries, results.expected(), today, self.diagnostics)
            self._save_cases(results)
        results.interrupted |= bool(self.interruption.asked)
        return results

    def _add_clustered(
        self, run: Run, cluster: Cluster, drawn: Iterator[Request], tell: Tell, pace: ProgressMeter, stack: ExitStack
    ) -> running.Work[Results]:
        """Compares cases and drawn requests here, and objects on a cluster. Returns the work of the latter.

        Raises:
            EngineError: the cluster cannot go on, or the checkpoint cannot be written.
            CheckpointError: the checkpoint belongs to another comparison.
        """
        plan = self.plan
        corpus = Corpus.from_arguments(plan.objects, self.diagnostics, plan.partition_bytes, plan.old, plan.column)
        work = work_on(run.job, corpus, self.interruption, plan.most_bad)
        if plan.resume:
            work.resume(plan.resume)
        if plan.cases:
            run.add(load(plan.cases, self.diagnostics))
        if not run.results.interrupted and corpus.partitions:
            engine = stack.enter_context(closing(DaskEngine(cluster)))
            usual = run.tell

            def report_progress(run: Run, _: Last) -> None:
                whole = run.items * corpus.weight / corpus.done if corpus.done else None
                parts = corpus.finished, len(corpus.partitions)
                tell(replace(pace.measure(run.items, run.results, whole), parts=parts, dashboard=engine.dashboard))

            run.tell = report_progress
            report_progress(run, corpus.partitions[0])  # until the first of them is done
            if isinstance(work, PairedWork):
                spill = stack.enter_context(spilling(plan.spill, work, elsewhere=bool(cluster.address)))
                run.take(compare_paired_on(engine, work, spill, near=not cluster.address))
            else:
                run.take(compare_on(engine, work))
            run.tell = usual
            settle(run.results, corpus)
            corpus.report(self.diagnostics)
        if not run.results.interrupted:
            run.add(drawn, (corpus.behind, 0))
        run.results.notes += sentences(corpus.passed)
        return work

    def job(self, entries: list[Entry]) -> Job:
        """Returns the input of a process that judges requests by the plan."""
        plan = self.plan
        off = dict.fromkeys(sorted(self.declarations.options), False)
        manner = replace(
            plan.manner, options={**off, **plan.manner.options}, unstated=frozenset(off) - set(plan.manner.options)
        )
        expected = tuple(entry.expectation for entry in entries)
        return Job(self.files, self.declarations, plan.handwritten, manner, expected)

    def _drawn(self) -> Iterator[Request]:
        """Yields drawn requests lazily. Errors that prevent drawing are raised at once."""
        kinds = self._kinds()
        if not self.plan.fuzz:
            return iter(())
        from validation_gen.commands.compare.comparison import fuzz  # noqa: PLC0415 - it needs an extra

        requests = fuzz(self.program, self.registry, self.plan.fuzz, self.plan.seed, kinds)
        if self.plan.handwritten.hears_options:
            return requests
        # A side that does not receive options cannot be blamed for ignoring one.
        return (replace(request, options={}) for request in requests)

    def _kinds(self) -> list[Kind] | None:
        """Returns the kinds for drawn requests: by default those that objects name, `None` if there are none.

        Raises:
            UnknownKindError: the kind does not exist.
        """
        if not self.plan.kinds:
            return [kind for kind in self.registry.kinds if _is_named(kind)] or None
        found = []
        for type in self.plan.kinds:
            package, _, name = type.rpartition(".")
            kinds = self.registry.of_type(name, package)
            if not kinds:
                raise UnknownKindError(type, [kind.name for kind in self.registry.kinds])
            found += kinds
        return found

    # --- afterwards ---------------------------------------------------------------------------------------------------

    def _report_options(self, results: Results) -> None:
        if results.defaulted:
            names = ", ".join(results.defaulted)
            message = (
                f"requests do not say whether these validation options are on, so they were taken to be off: {names}"
            )
            help = f"set --option {results.defaulted[0]}=true or --option {results.defaulted[0]}=false"
            self.diagnostics.warning("VG604", message, Span("--option"), help)

    def _save_cases(self, results: Results) -> None:
        if self.plan.cases:
            for group in results.unexpected():
                if (file := save(self.plan.cases, group, self.diagnostics)) is not None:
                    self.saved.append(file)


def _is_named(kind: Kind) -> bool:
    """Returns whether objects can name the kind and are validated. Lists of objects are read item by item."""
    return bool(kind.api_version) and kind.subresources is not None and not kind.name.endswith("List")


def _whole(plan: Plan, run: Run, last: Last, inputs: Inputs) -> float | None:
    """Estimates the number of items, `None` if unknown."""
    if not isinstance(last, Item):
        return inputs.count + plan.fuzz if inputs.count or not plan.objects else None
    if not inputs.total or not last.consumed:
        return None
    read = last.number + 1
    return run.items - read + read * inputs.total / last.consumed + plan.fuzz
