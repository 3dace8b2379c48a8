"""Levels of rules, and findings that are passed over in some files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.case_folders import inside
from tests.lint.sources import written
from validation_gen.diagnostics import Span
from validation_gen.lint.configured import Configured
from validation_gen.lintlevels import FileSuppression, LintLevels
from validation_gen.pipeline import Settings, build_program

FLAG = """
type Switch struct {
	// +k8s:required
	On bool `json:"on"`
}
"""
IGNORED = FLAG.replace("	On", "	// validation-gen:ignore VG411 a one-way switch\n	On")


def linted(directory: Path, levels: LintLevels, *, strict: bool = False) -> list[tuple[str, str]]:
    with inside(directory):
        result = build_program(Settings((".",), lint=True, strict_lint=strict, lint_levels=levels))
    return [(found.code, found.severity.value) for found in result.diagnostics.sorted()]


def suppression(root: Path, *files: str, code: str = "VG411", reason: str = "one-way") -> FileSuppression:
    return FileSuppression((code,), files, reason, str(root), Span("validation-gen.toml", 7, 3, 15))


@pytest.mark.parametrize(
    ("levels", "found"),
    [
        ((), [("VG411", "warning")]),
        ((("VG411", "error"),), [("VG411", "error")]),
        ((("VG411", "off"),), []),
        ((("VG406", "off"),), [("VG411", "warning")]),
    ],
)
def test_levels(tmp_path: Path, levels: tuple[tuple[str, str], ...], found: list[tuple[str, str]]) -> None:
    assert linted(written(tmp_path, FLAG), LintLevels(levels)) == found


def test_an_ignored_finding_of_a_rule_that_is_off_is_no_idle_comment(tmp_path: Path) -> None:
    assert linted(written(tmp_path, IGNORED), LintLevels((("VG411", "off"),))) == []


def test_a_level_wins_over_strict_lint(tmp_path: Path) -> None:
    text = FLAG.replace("+k8s:required", "+k8s:maxLength=3").replace("bool", "string")
    assert linted(written(tmp_path, text), LintLevels(), strict=True) == [("VG403", "error")]
    assert linted(tmp_path, LintLevels((("VG403", "warning"),)), strict=True) == [("VG403", "warning")]


def test_remarks_about_suppressions_have_levels_as_well(tmp_path: Path) -> None:
    written(tmp_path, FLAG.replace("	On", "	// validation-gen:ignore VG404 why\n	On"))
    assert ("VG499", "warning") in linted(tmp_path, LintLevels())
    assert ("VG499", "error") in linted(tmp_path, LintLevels((("VG499", "error"),)))
    assert linted(tmp_path, LintLevels((("VG499", "off"), ("VG411", "off")))) == []


@pytest.mark.parametrize(
    "files",
    [
        ["v1/types.go"],
        ["**/**/*.go"],
        ["*" * 3000 + "types.go"],
        ["v1"],
        ["v1/"],
        ["./v1/*.go"],
        ["x", "v?/types.g[m-p]"],
    ],
)
def test_a_file_is_passed_over(tmp_path: Path, files: list[str]) -> None:
    levels = LintLevels((), (suppression(tmp_path, *files),), whole=True)
    assert linted(written(tmp_path, FLAG), levels) == []


@pytest.mark.parametrize(
    "files", [["v2/types.go"], ["*.go"], ["types.go"], ["v"], ["v1/types"], ["/v1"], ["[", "v1/[!t]*"]]
)
def test_another_file_is_not(tmp_path: Path, files: list[str]) -> None:
    levels = LintLevels((), (suppression(tmp_path, *files),))
    assert linted(written(tmp_path, FLAG), levels) == [("VG411", "warning")]
    # A run that reads all says of a suppression without any file that it is one.
    whole = LintLevels((), levels.suppressions, whole=True)
    assert linted(tmp_path, whole) == [("VG411", "warning"), ("VG499", "warning")]


def test_a_suppression_that_is_not_needed(tmp_path: Path) -> None:
    levels = LintLevels((), (suppression(tmp_path, "v1", code="VG404"),))
    assert linted(written(tmp_path, FLAG), levels) == [("VG411", "warning"), ("VG499", "warning")]


def test_a_suppression_without_a_reason(tmp_path: Path) -> None:
    levels = LintLevels((), (suppression(tmp_path, "v1", reason=""),))
    assert linted(written(tmp_path, FLAG), levels) == [("VG498", "warning")]


def test_two_suppressions_of_the_same_are_both_needed(tmp_path: Path) -> None:
    levels = LintLevels((), (suppression(tmp_path, "v1"), suppression(tmp_path, "**")))
    assert linted(written(tmp_path, FLAG), levels) == []


def test_patterns_belong_to_the_directory_of_the_configuration(tmp_path: Path) -> None:
    levels = LintLevels((), (suppression(tmp_path, "sub/v1/*.go"),))
    written(tmp_path / "sub", FLAG)
    with inside(tmp_path / "sub"):
        assert Configured(levels).passes_over("VG411", Span("v1/types.go", 1, 1, 1))
        assert not Configured(levels).passes_over("VG404", Span("v1/types.go", 1, 1, 1))
        assert Configured(levels).passes_over("VG411", Span((tmp_path / "sub/v1/a.go").as_posix()))
