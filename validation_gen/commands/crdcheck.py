"""Checks definitions, configurations of webhooks and policies as a server does at creation.

The findings are the same for any number of processes. Nothing is printed here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from validation_gen.commands.distributed.chunking import ChunkReader, Ending, NumberedPiece
from validation_gen.commands.distributed.engines import Interruption
from validation_gen.commands.distributed.processes import run_in_turn
from validation_gen.commands.distributed.worker import Batch
from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity
from validation_gen.kubernetes import registration
from validation_gen.kubernetes.crd import run as definitions
from validation_gen.kubernetes.manifests import CutError, Manifest, parse_piece
from validation_gen.kubernetes.policies import checking as policies
from validation_gen.kubernetes.positions import find_path
from validation_gen.runtime.words import counted

DEFINITION, CONFIGURATION, POLICY = "definition", "configuration", "policy"  #: names of the checked kinds in messages


@dataclass(slots=True)
class Block:
    """Results of a piece of the input: the number of objects, the findings, and the problems of its text."""

    objects: int = 0
    findings: list[Diagnostic] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)


@dataclass
class Results:
    """Results of some pieces of the input.

    Attributes:
        blocks: the findings, by the number of the piece.
        objects: the number of objects.
        judged: the numbers of definitions, configurations and policies.
        invalid: the numbers of invalid ones.
        cut: True if a file must be read as a whole.
    """

    blocks: dict[int, Block] = field(default_factory=dict)
    objects: int = 0
    judged: Counter[str] = field(default_factory=Counter)
    invalid: Counter[str] = field(default_factory=Counter)
    cut: bool = False

    def merge(self, other: Results) -> None:
        """Adds the results of other pieces."""
        self.blocks |= other.blocks
        self.objects += other.objects
        self.judged.update(other.judged)
        self.invalid.update(other.invalid)
        self.cut |= other.cut


@dataclass
class Checked(Ending, Results):
    """The results of a whole run, and how it ended.

    Attributes:
        problems: problems of files, in the order of the input.
    """

    problems: list[Diagnostic] = field(default_factory=list)

    @property
    def findings(self) -> Iterator[Diagnostic]:
        """Yields the findings of all pieces, and then those of files."""
        for _, block in sorted(self.blocks.items()):
            yield from block.findings
        yield from self.problems

    def summary(self) -> str:
        """Returns the numbers of valid and invalid objects, and of the others."""
        nouns = [noun for noun in (DEFINITION, CONFIGURATION, POLICY) if self.judged[noun]] or [DEFINITION]
        parts = [
            f"{counted(self.judged[noun], noun)}: {self.judged[noun] - self.invalid[noun]} valid, "
            f"{self.invalid[noun]} invalid"
            for noun in nouns
        ]
        others = self.objects - self.judged.total()
        return "; ".join([*parts, *([f"{counted(others, 'other object')} skipped"] if others else [])])


@dataclass(frozen=True, slots=True)
class Checker(Batch):
    """Checks objects in one process.

    Attributes:
        minor: the Kubernetes release 1.`minor` limits the features of rules.
        max_description: for definitions that are too large, the report has their size with descriptions of at most
            this length.
    """

    minor: int
    max_description: int | None = None

    def prepare(self, _: ExitStack) -> Callable[[Any], Any]:
        """Returns the function that checks pieces."""
        return self.run

    def run(self, task: Sequence[NumberedPiece]) -> Results:
        """Checks the pieces of a task."""
        results = Results()
        for each in task:
            problems = Diagnostics()
            block = results.blocks[each.number] = Block()
            try:
                for manifest in parse_piece(each.file, each.piece, problems):
                    block.objects += 1
                    results.objects += 1
                    noun, found = self._judge(manifest)
                    if noun:
                        results.judged[noun] += 1
                        results.invalid[noun] += any(one.severity is Severity.ERROR for one in found)
                        block.findings += found
            except CutError:
                results.cut = True
            block.problems += problems.items
        return results

    def _judge(self, manifest: Manifest) -> tuple[str, list[Diagnostic]]:
        """Returns the object's kind and its findings, or nothing for other kinds."""
        obj, positions = manifest.obj, manifest.positions
        if definitions.is_definition(obj):
            most = self.max_description
            return DEFINITION, definitions.diagnostics(obj, positions, max_description=most, minor=self.minor)
        if registration.is_configuration(obj):
            return CONFIGURATION, registration.diagnostics(obj, positions, minor=self.minor)
        if policies.is_policy(obj):
            return POLICY, [
                Diagnostic("VG573", Severity.ERROR, text, positions.span(find_path(obj, path)[0]))
                for path, text in policies.problems(obj, minor=self.minor)
            ]
        return "", []


def check(
    checker: Checker, reader: ChunkReader, jobs: int, interruption: Interruption, tell: Callable[[int], None]
) -> Checked:
    """Checks all objects in several processes.

    Args:
        checker: that of this process.
        reader: reads the files.
        jobs: the maximum number of processes.
        interruption: ends it early.
        tell: called with the number of checked objects.
    """
    checked = _run(checker, reader, jobs, interruption, tell)
    if checked.cut and not checked.is_partial:
        checked = _run(checker, reader.whole(), 1, interruption, tell)
    checked.problems = reader.problems(checked.blocks)
    return checked


def _run(
    checker: Checker, reader: ChunkReader, jobs: int, interruption: Interruption, tell: Callable[[int], None]
) -> Checked:
    checked = Checked()
    found = run_in_turn(checker.run, lambda: checker, reader.tasks(), jobs, interruption)
    checked.collect(found, interruption, checked.merge, lambda: tell(checked.objects))
    return checked
