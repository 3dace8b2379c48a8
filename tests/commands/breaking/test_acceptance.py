"""Changes that are accepted with a comment, and comments that accept nothing."""

from __future__ import annotations

import pytest

from tests.commands.breaking.conftest import Project, api, said
from validation_gen.commands.breaking.run import compare
from validation_gen.compiler.pipeline import build_program
from validation_gen.compiler.settings import Settings

NAME = 'Name string `json:"name,omitempty"`'
COUNT = 'Count *int32 `json:"count,omitempty"`'
IGNORE = "validation-gen:ignore"


def test_at_the_field(project: Project) -> None:
    new = f"// {IGNORE} VG705 no name is that long\n// +k8s:maxLength=5\n{NAME}"
    found = project.compare(api(NAME), api(new))
    assert (said(found), found.accepted) == ([], 1)


def test_a_field_that_is_gone_is_accepted_by_its_struct(project: Project) -> None:
    new = api(NAME).replace("type Spec", f"// {IGNORE} VG702 nobody counts\ntype Spec")
    found = project.compare(api(f"{NAME}\n{COUNT}"), new)
    assert (said(found), found.accepted) == ([], 1)


def test_a_kind_that_is_gone_is_accepted_by_the_package(project: Project) -> None:
    drone = 'type Drone struct {\n\tmetav1.TypeMeta `json:",inline"`\n}\n'
    project.compare(api(NAME, more=drone), api(NAME))
    project.write(
        {"api/v1/doc.go": f"// {IGNORE} VG701 drones were an experiment\n\n// +groupName=example.com\npackage v1\n"}
    )
    found = compare(Settings(("api",)), "old")
    assert (said(found), found.accepted) == ([], 1)


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("VG705", ["warning VG498 VG705 is ignored without a reason, which later readers need"]),
        (
            "VG702 it was never there",
            [
                "error VG705 name: maxLength=5 is new",
                "warning VG499 unused suppression: no change here has VG702",
            ],
        ),
        ("VG411 of another command", ["error VG705 name: maxLength=5 is new"]),
    ],
)
def test_comments_that_are_wrong(project: Project, line: str, wanted: list[str]) -> None:
    found = project.compare(api(NAME), api(f"// {IGNORE} {line}\n// +k8s:maxLength=5\n{NAME}"))
    assert sorted(said(found)) == wanted


def test_a_comment_that_nothing_needs_any_more(project: Project) -> None:
    text = api(f"// {IGNORE} VG705 no name is that long\n// +k8s:maxLength=5\n{NAME}")
    found = project.compare(text, text)
    assert said(found) == ["warning VG499 unused suppression: no change here has VG705"]


def test_lint_leaves_such_comments_alone(project: Project) -> None:
    project.write({"v1/types.go": api(f"// {IGNORE} VG705 no name is that long\n// +k8s:maxLength=5\n{NAME}")})
    result = build_program(Settings(("v1",), lint=True))
    assert [d.code for d in result.diagnostics.items if d.code in ("VG498", "VG499")] == []
