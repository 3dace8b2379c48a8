"""Validates the objects in pieces of manifests, which a process gets as text.

Validates pieces of the input in several processes, and merges the results.
"""

from __future__ import annotations

import importlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, ClassVar, TypeVar

from validation_gen.commands.defaulting import Defaults
from validation_gen.commands.distributed.chunking import ChunkReader, Ending, NumberedPiece, decompress
from validation_gen.commands.distributed.engines import Interruption
from validation_gen.commands.distributed.processes import run_in_turn
from validation_gen.commands.distributed.worker import Batch, RefusedError
from validation_gen.commands.revisions import NO_STATE, as_warning, is_revision, old_state
from validation_gen.commands.schemes import Lists
from validation_gen.commands.validate.judging import Request, identity, judge
from validation_gen.commands.validate.verdicts import Block, Name, ReportOptions, Results, State
from validation_gen.diagnostics import Diagnostic, Diagnostics
from validation_gen.emit.loading import generated
from validation_gen.emit.loading.generated import customs_in, load_registry
from validation_gen.files.revision import Repository
from validation_gen.files.tree import Tree
from validation_gen.kubernetes.manifests import CutError, Manifest, Piece, each_manifest, parse_piece
from validation_gen.kubernetes.objects import Scheme
from validation_gen.kubernetes.positions import Positions
from validation_gen.runtime.registry import Registry

Own = TypeVar("Own", bound="Validation")


class Watched(Lists):
    """Decides which objects are lists, and records the ambiguous ones.

    Attributes:
        met: groups and names of objects that look like lists.
        known: the kinds that were known from the beginning.
    """

    def __init__(self, request: Request) -> None:
        super().__init__(request.scheme)
        self.known = frozenset(self.kinds)
        self.met: set[Name] = set()

    def is_object(self, obj: Any) -> bool:
        if isinstance(obj, dict):
            version, kind = obj.get("apiVersion"), obj.get("kind")
            if isinstance(version, str) and isinstance(kind, str) and kind.endswith("List"):
                self.met.add((version.rpartition("/")[0], kind))
        return super().is_object(obj)


@dataclass(frozen=True, slots=True)
class Origin:
    """Sources of the validators: the generated package as text by path, and definitions as they were read."""

    files: Callable[[], Mapping[str, str]] = dict
    definitions: Sequence[Any] = ()


@dataclass(slots=True)
class Judge:
    """Validates objects in one process, in comparison with old ones.

    `origin` has the sources of the validators, for other processes. `lists` records definitions among the objects.
    """

    registry: Registry
    request: Request
    wanted: ReportOptions = field(default_factory=ReportOptions)
    olds: Mapping[tuple[str, str, str, str], Manifest] = field(default_factory=dict)
    origin: Origin = field(default_factory=Origin)
    lists: Watched = field(init=False)

    def __post_init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Drops the definitions found among objects."""
        self.lists = Watched(self.request)

    def run(self, task: Sequence[NumberedPiece]) -> Results:
        """Validates the pieces of a task."""
        results = Results()
        for each in task:
            self.add(each.number, each.file, each.piece, results)
        return results

    def add(self, number: int, file: str, piece: Piece, results: Results) -> None:
        """Adds the results of a piece to the block of this number. Parses one object at a time, to save memory."""
        found = Diagnostics()
        block = results.blocks.setdefault(number, Block())
        states: Counter[State] = results.states
        try:
            for manifest in parse_piece(file, piece, found, self.lists.is_object):
                old = self.olds.get(identity(manifest, self.request.scheme)) if self.olds else None
                verdict = judge(manifest, old, self.registry, self.request, self.wanted)
                states[verdict.state] += 1
                block.objects += 1
                results.updates |= old is not None
                results.kinds.add(verdict.identity[:2])
                if verdict.reason:
                    version, kind = verdict.identity[:2]
                    results.unjudged[f"{kind} {version}: {verdict.reason}" if kind else verdict.reason] += 1
                if verdict.told or self.wanted.all:
                    block.verdicts.append(verdict)
        except CutError:
            results.cut = True
        block.problems += found.items
        results.lists |= self.lists.met
        results.defined |= self.lists.kinds - self.lists.known


@dataclass(frozen=True, slots=True)
class Validation(Batch):
    """Validates chunks in processes that share no memory, files or user code with this one.

    Attributes:
        files: the generated package as text by path.
        definitions: the definitions of kinds, as they were read, for a server of a release.
        defaults: the defaults of types, `None` to leave them out.
        directories: those from which handwritten functions are imported.
    """

    files: Mapping[str, str]
    definitions: list[Any]
    server: int
    defaults: Defaults | None
    request: Request
    wanted: ReportOptions
    olds: list[Any]
    directories: tuple[str, ...]

    RULES: ClassVar[frozenset[str]] = frozenset({"files", "definitions", "defaults"})

    @classmethod
    def from_judge(cls: type[Own], judge: Judge) -> Own:
        request, origin = judge.request, judge.origin
        return cls(
            dict(origin.files()),
            list(origin.definitions),
            request.scheme.server,
            request.defaults,
            request,
            judge.wanted,
            [old.obj for old in judge.olds.values()],
            generated.admitted(),
        )

    def make_judge(self) -> Judge:
        """Returns a judge for this process.

        Raises:
            RefusedError: a handwritten function cannot be imported here.
        """
        for directory in reversed(self.directories):
            generated.admit(directory)
        registry = load_registry(self.files)
        for name in customs_in(self.files):
            try:
                importlib.import_module(f".{name}", registry.package)
            except (Exception, SystemExit) as error:
                reason = f"a worker cannot import handwritten functions: {error.__class__.__name__}: {error}"
                raise RefusedError(reason, "install their imports on all workers") from None
        scheme = Scheme(server=self.server)
        for each in self.definitions:
            scheme.define(each)
        request = replace(self.request, scheme=scheme, defaults=self.defaults)
        olds = [Manifest(obj, "", 0, Positions("", "", 0)) for obj in self.olds]
        return Judge(registry, request, self.wanted, {identity(old, scheme): old for old in olds})

    def prepare(self, _: ExitStack) -> Callable[[Any], Any]:
        """Returns a function that validates pieces."""
        return self.make_judge().run


#: Called with the number of validated objects.
Tell = Callable[[int], None]


@dataclass(slots=True)
class Checked(Ending):
    """The results of a run, and its end.

    `problems` are those of files, in the order of the input, then those of old ones. `olds` tells if there are any.
    """

    results: Results
    problems: list[Diagnostic] = field(default_factory=list)
    olds: bool = False


@dataclass(frozen=True, slots=True)
class OldFiles:
    """Files with old objects.

    Attributes:
        names: names of files, or revisions: `git:REF`.
        recursive: True to read subdirectories.
        manifests: the files of the objects to check, which are read from a revision below the same paths.
        repository: the repository, if a revision chose the files. Old files that cannot be read are no errors then.
    """

    names: Sequence[str] = ()
    recursive: bool = True
    manifests: Sequence[str] = ()
    repository: Repository | None = None

    def read(self, lists: Watched, diagnostics: Diagnostics) -> Iterator[Manifest]:
        """Yields the old objects. Reports the problems of their files."""
        for name in self.names:
            if is_revision(name):
                yield from self._of_revision(name, lists, diagnostics)
            else:
                yield from self._of_files(name, lists, diagnostics)

    def _of_files(self, name: str, lists: Watched, found: Diagnostics, tree: Tree | None = None) -> Iterator[Manifest]:
        return each_manifest(
            [name], found, recursive=self.recursive, is_object=lists.is_object, unpack=decompress, tree=tree
        )

    def _of_revision(self, name: str, lists: Watched, diagnostics: Diagnostics) -> Iterator[Manifest]:
        """Yields the objects that a revision has below the paths of those to check."""
        with old_state(
            name, diagnostics, manifests=self.manifests, option="--old", repository=self.repository
        ) as state:
            if state is None:
                return
            for path in state.manifests:
                own = Diagnostics()
                yield from self._of_files(path, lists, own, state.tree)
                if self.repository is not None:
                    is_there = os.path.lexists(os.path.join(state.tops[0], os.path.relpath(path, state.tops[1])))  # noqa: PTH118
                    own.items = [
                        as_warning(each) for each in own.items if is_there and each.code != "VG902"
                    ]  # none is fine
                for problem in own.items:
                    notes = tuple((text, span and state.render_span(span)) for text, span in problem.notes)
                    diagnostics.add(replace(problem, span=state.render_span(problem.span), notes=notes))


def check(
    judge: Judge,
    reader: ChunkReader,
    olds: OldFiles,
    jobs: int,
    interruption: Interruption,
    tell: Tell = lambda objects: None,
) -> Checked:
    """Validates all objects in several processes. An object with an old one is an update.

    The findings are those of one process that reads all files one after the other. The judge, that of this process,
    receives the old objects.
    """
    lists = Watched(judge.request)
    before = _take_olds(judge, lists, olds)
    if any(problem.code == NO_STATE for problem in before):
        return Checked(Results(), before)  # every verdict would be wrong
    checked = _run(judge, reader, jobs, interruption, tell)
    results = checked.results
    if not checked.is_partial and (results.cut or ((jobs > 1 or olds.names) and is_ambiguous(lists, results))):
        reader.whole()
        if olds.names:  # old objects are read last, as the others show which kinds are lists
            lists = Watched(judge.request)
            _learn(lists, reader.tasks())
            before = _take_olds(judge, lists, olds)
            reader.whole()
        judge.forget()
        checked = _run(judge, reader, 1, interruption, tell)
    checked.olds = bool(judge.olds)
    checked.problems = reader.problems(checked.results.blocks)
    checked.problems += [each for each in before if each not in checked.problems]
    return checked


def _take_olds(judge: Judge, lists: Watched, olds: OldFiles) -> list[Diagnostic]:
    """Gives a judge the old objects. Returns the problems of their files."""
    found = Diagnostics()
    judge.olds = {identity(each, judge.request.scheme): each for each in olds.read(lists, found)}
    return found.items


def _run(judge: Judge, reader: ChunkReader, jobs: int, interruption: Interruption, tell: Tell) -> Checked:
    results = Results()
    checked = Checked(results)
    found = run_in_turn(judge.run, lambda: Validation.from_judge(judge), reader.tasks(), jobs, interruption)
    checked.collect(found, interruption, results.merge, lambda: tell(results.objects))
    return checked


def _learn(lists: Watched, tasks: Iterable[Sequence[NumberedPiece]]) -> None:
    """Checks for all objects whether they are lists, in order."""
    for each in chain.from_iterable(tasks):
        for _ in parse_piece(each.file, each.piece, Diagnostics(), lists.is_object):
            pass


def is_ambiguous(olds: Watched, results: Results) -> bool:
    """Returns whether an object looks like a list, and a definition elsewhere in the input decides it."""
    known = olds.kinds | results.defined
    return any(
        (group, name) in known and not results.defined.isdisjoint({(group, name), (group, name.removesuffix("List"))})
        for group, name in results.lists | olds.met
    )
