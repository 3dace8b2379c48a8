"""Validates the objects in pieces of manifests, which a process gets as text."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, TypeVar

from validation_gen.commands.defaulting import Defaults
from validation_gen.commands.distributed.worker import Batch, RefusedError
from validation_gen.commands.schemes import Lists
from validation_gen.commands.validate.judging import Request, identity, judge
from validation_gen.commands.validate.verdicts import Block, Name, ReportOptions, Results, State
from validation_gen.diagnostics import Diagnostics
from validation_gen.emit.loading import generated
from validation_gen.emit.loading.generated import customs_in, load_registry
from validation_gen.kubernetes.manifests import CutError, Form, Manifest, Piece, parse_piece
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
    """Validates objects in one process.

    Attributes:
        registry: the validators of types.
        request: settings for all objects.
        wanted: the details that a report needs.
        olds: old objects, by their keys.
        origin: the sources of the validators of other processes.
        lists: recognises lists, and records definitions among the objects.
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

    def run(self, data: dict[str, Any]) -> dict[str, Any]:
        """Validates the pieces of a task; returns plain data."""
        results = Results()
        for number, file, text, line, form in data["pieces"]:
            self.add(number, file, Piece(text, line, Form(form)), results)
        return results.as_data()

    def add(self, number: int, file: str, piece: Piece, results: Results) -> None:
        """Adds the results of a piece to the block of this number."""
        found = Diagnostics()
        block = results.blocks.setdefault(number, Block())
        try:
            self.count(parse_piece(file, piece, found, self.lists.is_object), block, results)
        except CutError:
            results.cut = True
        block.problems += found.items
        results.lists |= self.lists.met
        results.defined |= self.lists.kinds - self.lists.known

    def count(self, manifests: Iterable[Manifest], block: Block, results: Results) -> None:
        """Validates objects one after the other: they need not fit into memory."""
        states: Counter[State] = results.states
        for manifest in manifests:
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


@dataclass(frozen=True, slots=True)
class Validation(Batch):
    """Validates chunks in processes that share no memory, files or user code with this one.

    Attributes:
        files: the generated package as text by path.
        definitions: the definitions of kinds, as they were read, for a server of a release.
        defaults: the defaults of types as data, `None` to leave them out.
        request: settings for all objects.
        wanted: the details that a report needs.
        olds: the old objects.
        directories: those from which handwritten functions are imported.
    """

    files: Mapping[str, str]
    definitions: list[Any]
    server: int
    defaults: Any
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
            None if request.defaults is None else request.defaults.as_data(),
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
        defaults = None if self.defaults is None else Defaults.of_data(self.defaults)
        request = replace(self.request, scheme=scheme, defaults=defaults)
        olds = [Manifest(obj, "", 0, Positions("", "", 0)) for obj in self.olds]
        return Judge(registry, request, self.wanted, {identity(old, scheme): old for old in olds})

    def prepare(self, _: ExitStack) -> Callable[[dict[str, Any]], dict[str, Any]]:
        """Returns a function that validates pieces."""
        return self.make_judge().run
