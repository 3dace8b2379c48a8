"""A pytest plugin that runs `*.celtest.yaml` beside other tests: each case is one test.

pytest imports this in every project where we are installed. So it imports nothing of ours until such a file exists.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from validation_gen.commands.cel.suites import Case, Subjects, Suite
    from validation_gen.commands.cel.suites.subjects import Subject
    from validation_gen.diagnostics import Diagnostic

#: Copied from `commands.cel.suites.files`, whose import would be slow.
SUFFIXES = (".celtest.yaml", ".celtest.yml")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> SuiteFile | None:
    """Takes files with tests of rules."""
    if not file_path.name.endswith(SUFFIXES):
        return None
    found: SuiteFile = SuiteFile.from_parent(parent, path=file_path)
    return found


class CaseError(Exception):
    """A case fails, or cannot be run. The text is complete; the traceback is not shown."""


class SuiteFile(pytest.File):
    """A file with tests."""

    def collect(self) -> Iterator[CaseItem]:
        from validation_gen.commands.cel.suites import Subjects, read_suites  # noqa: PLC0415
        from validation_gen.diagnostics import Diagnostics  # noqa: PLC0415 - late, see above
        from validation_gen.diagnostics.formats import one_line  # noqa: PLC0415

        diagnostics = Diagnostics()
        suites = read_suites(self.path, diagnostics)
        if diagnostics.has_errors:
            raise self.CollectError(self.render(diagnostics.sorted()))
        subjects = Subjects(Diagnostics())
        for suite in suites:
            tested = Tested(self, suite, subjects)
            for case in suite.cases:
                yield CaseItem.from_parent(self, name=one_line(case.name), tested=tested, case=case)

    def render(self, items: list[Diagnostic]) -> str:
        """Returns findings as the command line prints them."""
        from validation_gen.diagnostics.formats import render  # noqa: PLC0415

        return self.short(render(items, color=False).rstrip())

    def short(self, text: str) -> str:
        """Returns a text with file names relative to the directory where pytest was started."""
        return text.replace(f"{self.config.invocation_params.dir.as_posix()}/", "")


class Tested:
    """A document with tests, and their subject. The definition is read when the first case runs."""

    def __init__(self, file: SuiteFile, suite: Suite, subjects: Subjects) -> None:
        self.file = file
        self.suite = suite
        self.subjects = subjects
        self.subject: Subject | None = None
        self.problems: list[Diagnostic] | None = None

    def run(self, case: Case) -> None:
        """Runs a case.

        Raises:
            CaseError: it fails, or cannot be run.
        """
        from validation_gen.commands.cel.suites import run_case  # noqa: PLC0415
        from validation_gen.commands.cel.suites.report import failure  # noqa: PLC0415

        found = self.subjects.diagnostics.items
        if self.problems is None:
            found.clear()
            self.subject = self.subjects.find(self.suite)
            self.problems = list(found)
        if self.problems:
            raise CaseError(self.file.render(self.problems))
        found.clear()
        ran = run_case(self.suite, case, self.subject, self.subjects)
        if ran is None:
            raise CaseError(self.file.render(list(found)))
        if ran.fails:
            raise CaseError(self.file.short("\n".join(failure(ran))))


class CaseItem(pytest.Item):
    """A case."""

    def __init__(self, *, tested: Tested, case: Case, **named: Any) -> None:
        super().__init__(**named)
        self.tested = tested
        self.case = case

    def runtest(self) -> None:
        self.tested.run(self.case)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, CaseError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.case.span.line - 1, self.name
