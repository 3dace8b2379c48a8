"""Levels of rules, and findings that are skipped in some files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.case_folders import inside
from tests.compiler.lint.sources import written
from validation_gen.compiler.lint import Configured
from validation_gen.compiler.pipeline import Settings, build_program
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.diagnostics.levels import FileSuppression, Level, Levels, Suppressions

FLAG = """
type Switch struct {
	// +k8s:required
	On bool `json:"on"`
}
"""
IGNORED = FLAG.replace("	On", "	// validation-gen:ignore VG411 a one-way switch\n	On")


def linted(
    directory: Path, *levels: tuple[str, str], strict: bool = False, suppressions: Suppressions | None = None
) -> list[tuple[str, str]]:
    with inside(directory):
        wanted = suppressions or Suppressions()
        result = build_program(Settings((".",), lint=True, strict_lint=strict, suppressions=wanted))
    Levels(tuple(Level(*each) for each in levels)).apply(result.diagnostics)
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
    assert linted(written(tmp_path, FLAG), *levels) == found


def test_an_ignored_finding_of_a_rule_that_is_off_is_no_idle_comment(tmp_path: Path) -> None:
    assert linted(written(tmp_path, IGNORED), ("VG411", "off")) == []


def test_a_level_wins_over_strict_lint(tmp_path: Path) -> None:
    text = FLAG.replace("+k8s:required", "+k8s:maxLength=3").replace("bool", "string")
    assert linted(written(tmp_path, text), strict=True) == [("VG403", "error")]
    assert linted(tmp_path, ("VG403", "warning"), strict=True) == [("VG403", "warning")]


def test_remarks_about_suppressions_have_levels_as_well(tmp_path: Path) -> None:
    written(tmp_path, FLAG.replace("	On", "	// validation-gen:ignore VG404 why\n	On"))
    assert ("VG499", "warning") in linted(tmp_path)
    assert ("VG499", "error") in linted(tmp_path, ("VG499", "error"))
    assert linted(tmp_path, ("VG499", "off"), ("VG411", "off")) == []


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
    levels = Suppressions((suppression(tmp_path, *files),), whole=True)
    assert linted(written(tmp_path, FLAG), suppressions=levels) == []


@pytest.mark.parametrize(
    "files", [["v2/types.go"], ["*.go"], ["types.go"], ["v"], ["v1/types"], ["/v1"], ["[", "v1/[!t]*"]]
)
def test_another_file_is_not(tmp_path: Path, files: list[str]) -> None:
    levels = Suppressions((suppression(tmp_path, *files),))
    assert linted(written(tmp_path, FLAG), suppressions=levels) == [("VG411", "warning")]
    # A run that reads all says of a suppression without any file that it is one.
    whole = Suppressions(levels.entries, whole=True)
    assert linted(tmp_path, suppressions=whole) == [("VG411", "warning"), ("VG499", "warning")]


def test_a_suppression_that_is_not_needed(tmp_path: Path) -> None:
    levels = Suppressions((suppression(tmp_path, "v1", code="VG404"),))
    assert linted(written(tmp_path, FLAG), suppressions=levels) == [("VG411", "warning"), ("VG499", "warning")]


def test_a_suppression_without_a_reason(tmp_path: Path) -> None:
    levels = Suppressions((suppression(tmp_path, "v1", reason=""),))
    assert linted(written(tmp_path, FLAG), suppressions=levels) == [("VG498", "warning")]


def test_two_suppressions_of_the_same_are_both_needed(tmp_path: Path) -> None:
    levels = Suppressions((suppression(tmp_path, "v1"), suppression(tmp_path, "**")))
    assert linted(written(tmp_path, FLAG), suppressions=levels) == []


def test_patterns_belong_to_the_directory_of_the_configuration(tmp_path: Path) -> None:
    levels = Suppressions((suppression(tmp_path, "sub/v1/*.go"),))
    written(tmp_path / "sub", FLAG)
    with inside(tmp_path / "sub"):
        assert Configured(levels).passes_over("VG411", Span("v1/types.go", 1, 1, 1))
        assert not Configured(levels).passes_over("VG404", Span("v1/types.go", 1, 1, 1))
        assert Configured(levels).passes_over("VG411", Span((tmp_path / "sub/v1/a.go").as_posix()))


def judged(levels: Levels, *findings: tuple[str, str]) -> list[tuple[str, str]]:
    diagnostics = Diagnostics()
    for code, severity in findings:
        getattr(diagnostics, severity)(code, "what", Span("a.go", 1, 1, 2))
    levels.apply(diagnostics)
    once = list(diagnostics.items)
    levels.apply(diagnostics)
    assert diagnostics.items == once, "a second time changes nothing"
    return [(each.code, each.severity.value) for each in once]


ALL_OF_THEM = (("VG103", "warning"), ("VG203", "error"), ("VG301", "warning"), ("VG901", "error"))


@pytest.mark.parametrize(
    ("levels", "found"),
    [
        (Levels(), ["VG103 w", "VG203 e", "VG301 w", "VG901 e"]),
        (Levels((Level("VG301", "error"),)), ["VG103 w", "VG203 e", "VG301 e", "VG901 e"]),
        (Levels((Level("VG103", "off", "why"),)), ["VG203 e", "VG301 w", "VG901 e"]),
        (Levels((Level("VG203", "off", "why"),)), ["VG103 w", "VG203 e", "VG301 w", "VG901 e", "VG906 w"]),
        (Levels((Level("VG203", "warning"),)), ["VG103 w", "VG203 e", "VG301 w", "VG901 e", "VG906 w"]),
        (Levels(select=("VG1",)), ["VG103 w", "VG203 e", "VG901 e"]),
        (Levels(ignore=("VG1",)), ["VG203 e", "VG301 w", "VG901 e"]),
        (Levels(ignore=("VG2",)), ["VG103 w", "VG203 e", "VG301 w", "VG901 e", "VG904 w"]),
        (Levels(select=("VG103",), ignore=("VG",)), ["VG103 w", "VG203 e", "VG901 e", "VG904 w"]),
        (Levels(select=("VG1",), ignore=("VG103",)), ["VG203 e", "VG901 e"]),
        (Levels((Level("VG103", "off", "why"),), select=("VG1",)), ["VG103 w", "VG203 e", "VG901 e"]),
        (Levels((Level("VG103", "error"),), select=("VG1",)), ["VG103 e", "VG203 e", "VG901 e"]),
    ],
)
def test_levels_of_all_codes(levels: Levels, found: list[str]) -> None:
    assert [f"{code} {severity[0]}" for code, severity in judged(levels, *ALL_OF_THEM)] == found


def test_an_opinion_is_no_error_if_nobody_wants_that(tmp_path: Path) -> None:
    assert judged(Levels(ignore=("VG403", "VG7")), ("VG403", "error"), ("VG705", "error")) == []
