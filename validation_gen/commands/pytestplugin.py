"""A pytest plugin: runs `*.celtest.yaml` beside other tests, each case as one test, and measures coverage of rules.

pytest imports this in every project where we are installed. So it imports nothing of ours until such a file exists, or
`--validation-coverage` is an option.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from validation_gen.commands.cel.suites import Case, Subjects, Suite
    from validation_gen.commands.cel.suites.subjects import Subject
    from validation_gen.commands.coverage.recording import Recorder
    from validation_gen.diagnostics import Diagnostic

#: Copied from `commands.cel.suites.files`, whose import would be slow.
SUFFIXES = (".celtest.yaml", ".celtest.yml")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> SuiteFile | None:
    """Collects files with tests of rules."""
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


# --- coverage --------------------------------------------------------------------------------------------------------

_OPTION = "--validation-coverage"
#: Key of a worker's records among its output.
_KEY = "validation_gen_coverage"
_MOST_MISSING = 20


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options about coverage."""
    group = parser.getgroup("validation-gen", "coverage of validation rules")
    group.addoption(
        _OPTION,
        metavar="FILE",
        default=None,
        help="Record the verdicts of validators in this process, and write the report of `validation-gen coverage` as "
        "JSON; to a file that ends in .jsonl the results for its option --tests.",
    )
    group.addoption(
        f"{_OPTION}-source",
        metavar="PATH",
        action="append",
        default=[],
        help="Types with the rules, by default the inputs of the configuration. Repeatable.",
    )
    group.addoption(
        f"{_OPTION}-fail-under",
        metavar="PCT",
        type=_percentage,
        help="Fail if tests trigger less than this share of the errors that rules can give.",
    )


def _percentage(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 100:
        raise argparse.ArgumentTypeError(f"{text!r} is no percentage, such as 90")
    return share


def pytest_configure(config: pytest.Config) -> None:
    """Starts the recording if an option names a report."""
    if config.option.validation_coverage:
        if not hasattr(config, "workerinput"):
            _check_paths(config)
        config.pluginmanager.register(CoverageReport(config), "validation-gen-coverage")
    elif config.option.validation_coverage is not None:
        raise pytest.UsageError(f"{_OPTION} names no file, write {_OPTION}=report.json")
    elif config.option.validation_coverage_source or config.option.validation_coverage_fail_under is not None:
        raise pytest.UsageError(f"options of coverage need a file for the report, such as {_OPTION}=report.json")


def _check_paths(config: pytest.Config) -> None:
    """Checks the paths of the options before the tests run.

    Raises:
        pytest.UsageError: no report can be written, or a source is missing.
    """
    name = config.option.validation_coverage
    file = Path(config.invocation_params.dir, name)
    if file.is_dir() or name.endswith("/"):
        raise pytest.UsageError(f"{_OPTION}: {name} is a directory, write {_OPTION}={Path(name, 'report.json')}")
    above = next(each for each in file.parents if each.exists())
    if not above.is_dir():
        raise pytest.UsageError(f"{_OPTION}: cannot write {name}, as {above} is a file")
    for source in config.option.validation_coverage_source:
        if not Path(config.invocation_params.dir, source.removesuffix("...")).exists():
            raise pytest.UsageError(f"{_OPTION}-source: there is no file or directory {source}")


class CoverageReport:
    """Records verdicts in this process, collects the verdicts of pytest-xdist workers, and writes the report.

    Attributes:
        lines: the summary.
        lost: the number of workers that ended without their records.
    """

    def __init__(self, config: pytest.Config) -> None:
        from validation_gen.commands.coverage.recording import Recorder  # noqa: PLC0415 - late, see above

        self.config = config
        self.recorder: Recorder = Recorder()
        self.lines: list[str] = []
        self.lost = 0
        self.recorder.start()

    def pytest_unconfigure(self) -> None:
        self.recorder.stop()

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """Takes the records of a worker."""
        found = getattr(node, "workeroutput", {}).get(_KEY)
        if found is None:
            self.lost += 1
        else:
            self.recorder.add(*found)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hands the records to the controller, or writes the report and decides whether the share suffices."""
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput[_KEY] = (self.recorder.verdicts, [*self.recorder.records.values()])
            return
        if self.config.option.collectonly:
            return
        completed = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)
        if session.shouldfail or session.shouldstop or session.exitstatus not in completed:
            self.lines.append("no report, as the tests were not completed")
        elif not self.write():
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def write(self) -> bool:
        """Writes the report. Returns False if there is none, or if the share does not suffice."""
        from validation_gen.runtime.words import counted  # noqa: PLC0415 - late, see above

        option = self.config.option
        file = Path(self.config.invocation_params.dir, option.validation_coverage)
        least = option.validation_coverage_fail_under
        if self.lost:
            self.lines.append(f"workers that ended without their records, which the report lacks: {self.lost}")
        text = "".join(f"{line}\n" for line in self.recorder.lines())
        report = None
        if file.suffix != ".jsonl" or least is not None:
            report = self.report(text)
            if report is None:
                return False
        if file.suffix != ".jsonl":
            text = json.dumps(report, indent=2, ensure_ascii=False) + "\n"
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        except OSError as error:
            self.lines.append(f"cannot write {option.validation_coverage}: {error.strerror}")
            return False
        verdicts = f"{counted(self.recorder.verdicts, 'verdict')} recorded"
        if report is None:
            self.lines.append(f"{verdicts} in {option.validation_coverage}")
            return True
        return self.is_enough(report, verdicts, least)

    def report(self, results: str) -> dict[str, Any] | None:
        """Returns the report of `validation-gen coverage`; `None`, and adds the reasons, without one."""
        with tempfile.TemporaryDirectory() as directory:
            tests = Path(directory, "results.jsonl")
            tests.write_text(results, encoding="utf-8")
            words = [*self.config.option.validation_coverage_source, "--tests", str(tests), "--format", "json"]
            done = subprocess.run(  # noqa: S603 - this program, without a shell
                [sys.executable, "-m", "validation_gen", "coverage", *words],
                cwd=self.config.invocation_params.dir,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
                check=False,
            )
        if done.returncode in (0, 1) and done.stdout:
            found: dict[str, Any] = json.loads(done.stdout)
            return found
        self.lines.append(f"no report; name the types with {_OPTION}-source=PATH if they are not configured")
        self.lines += [line for line in done.stderr.splitlines() if line]
        return None

    def is_enough(self, report: dict[str, Any], verdicts: str, least: float | None) -> bool:
        """Adds the summary of a report, and returns whether its share suffices."""
        summary = report["summary"]
        triggered, needed = summary["triggered"], summary["declared"] - summary["allowed"]
        share = 100 * triggered / needed if needed else 100.0
        allowed = f", {summary['allowed']} allowed" if summary["allowed"] else ""
        self.lines.append(
            f"{triggered} of {needed} errors triggered ({share:.1f}%){allowed}; {verdicts}, "
            f"the report is in {self.config.option.validation_coverage}"
        )
        missing = [rule for rule in report["rules"] if rule["state"] == "missing"]
        for rule in missing[:_MOST_MISSING]:
            words = (rule["source"], rule["kind"], rule["path"], rule["type"], rule["tag"])
            self.lines.append(f"missing: {'  '.join(words)}")
        if len(missing) > _MOST_MISSING:
            self.lines.append(f"missing: {len(missing) - _MOST_MISSING} more")
        if not self.recorder.verdicts:
            self.lines.append("no validator ran in these tests; verdicts of other processes are not recorded")
        if least is None or share >= least:
            return True
        self.lines.append(f"failed: {share:.1f}% is less than the required {least:g}%")
        return False

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Prints the summary."""
        if self.lines:
            terminalreporter.section("validation coverage")
            for line in self.lines:
                terminalreporter.write_line(line)
