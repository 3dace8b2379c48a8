"""The rules of the deprecation policy about versions."""

from __future__ import annotations

import pytest

from tests.commands.breaking.conftest import Project, api
from validation_gen.commands.breaking.kinds import stability
from validation_gen.commands.breaking.run import compare
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostic

NAME = 'Name string `json:"name,omitempty"`'
COUNT = 'Count *int32 `json:"count,omitempty"`'


def found(project: Project, old: dict[str, str], new: dict[str, str]) -> list[Diagnostic]:
    """What is said of two states, each with sources by version."""
    for state, versions in (("old/", old), ("", new)):
        for version, text in versions.items():
            project.write(
                {
                    f"{state}api/{version}/doc.go": f"// +groupName=example.com\npackage {version}\n",
                    f"{state}api/{version}/types.go": text.replace("package v1", f"package {version}"),
                }
            )
    return compare(Settings(("api",)), "old").diagnostics.sorted()


def said(findings: list[Diagnostic]) -> list[str]:
    return [f"{d.severity.value} {d.code} {d.message.removeprefix('example.com/')}" for d in findings]


@pytest.mark.parametrize(("version", "level"), [("v1alpha1", 0), ("v2beta3", 1), ("v1", 2), ("things", 2)])
def test_stability(version: str, level: int) -> None:
    assert stability(version) == level


@pytest.mark.parametrize(
    ("version", "others", "wanted"),
    [
        ("v1", ["v2"], "error VG701 v1 Robot: the version v1 of Robot is gone; v2 has it"),
        ("v1beta1", ["v1"], "error VG701 v1beta1 Robot: the version v1beta1 of Robot is gone; v1 has it"),
        ("v1alpha1", ["v1"], "warning VG701 v1alpha1 Robot: the version v1alpha1 of Robot is gone; v1 has it"),
    ],
)
def test_rules_1_and_4a_versions_that_are_gone(project: Project, version: str, others: list[str], wanted: str) -> None:
    kept = dict.fromkeys(others, api(NAME))
    findings = found(project, {version: api(NAME), **kept}, kept)
    assert said(findings) == [wanted]
    assert "rule #4a" in findings[0].help


def test_a_deprecated_beta_version_may_go(project: Project) -> None:
    mark = "// +kubebuilder:deprecatedversion\n"
    findings = found(project, {"v1beta1": api(NAME, marks=mark), "v1": api(NAME)}, {"v1": api(NAME)})
    assert said(findings) == ["warning VG701 v1beta1 Robot: the version v1beta1 of Robot is gone; v1 has it"]


def test_the_only_version_is_gone(project: Project) -> None:
    findings = found(project, {"v1beta1": api(NAME)}, {"v1": api(NAME).replace("Robot", "Drone")})
    assert said(findings) == ["error VG701 v1beta1 Robot: the version v1beta1 of Robot is gone"]


def test_a_group_is_gone(project: Project) -> None:
    project.write(
        {
            "old/api/v1/types.go": api(NAME),
            "old/api/v1/doc.go": "// +groupName=one.com\npackage v1\n",
            "api/v1/types.go": api(NAME),
            "api/v1/doc.go": "// +groupName=two.com\npackage v1\n",
        }
    )
    (finding,) = compare(Settings(("api",)), "old").diagnostics.items
    assert finding.message == "one.com/v1 Robot: the group one.com is gone"
    assert str(finding.span) == "old/api/v1/types.go:5:6"


ROUND_TRIPS = [
    (
        "a field",
        api(f"{NAME}\n{COUNT}"),
        api(NAME),
        "`spec.count` is not in v1beta1, so that a round trip through it loses the value",
    ),
    (
        "a narrower type",
        api('N int64 `json:"n"`'),
        api('N int32 `json:"n"`'),
        "`spec.n` has another type in v1beta1: the type is int32, it was int64",
    ),
    (
        "a stricter limit",
        api(NAME),
        api(f"// +k8s:maxLength=5\n{NAME}"),
        "`spec.name` is limited further in v1beta1: maxLength=5 is new",
    ),
    ("the same", api(NAME), api(NAME), ""),
]


@pytest.mark.parametrize(("hub", "other", "wanted"), [r[1:] for r in ROUND_TRIPS], ids=[r[0] for r in ROUND_TRIPS])
def test_rule_2_round_trips(project: Project, hub: str, other: str, wanted: str) -> None:
    findings = found(project, {"v1": hub}, {"v1": hub, "v1beta1": other})
    assert said(findings) == ([f"warning VG721 v1 Robot: {wanted}"] if wanted else [])


def test_rule_2_tells_only_what_is_new(project: Project) -> None:
    both = {"v1": api(f"{NAME}\n{COUNT}"), "v1beta1": api(NAME)}
    assert said(found(project, both, both)) == []


def test_rule_2_leaves_out_versions_that_are_not_served(project: Project) -> None:
    quiet = "// +kubebuilder:unservedversion\n"
    old = {"v1": api(NAME), "v1beta1": api(NAME, marks=quiet)}
    assert said(found(project, old, {**old, "v1": api(f"{NAME}\n{COUNT}")})) == []


def _deprecated(warning: str = "") -> str:
    return f"// +kubebuilder:deprecatedversion{warning}\n"


@pytest.mark.parametrize(
    ("mark", "bad"),
    [
        (_deprecated(), "v2alpha1"),
        (_deprecated(':warning="use v2alpha1 instead of v1"'), "v2alpha1"),
        ("// +k8s:prerelease-lifecycle-gen:replacement=example.com,v2beta1,Robot\n", "v2beta1"),
        ("// +k8s:prerelease-lifecycle-gen:replacement=example.com,v2,Robot\n", ""),
        (_deprecated(':warning="use example.com/v3"'), ""),
    ],
)
def test_rule_3_nothing_is_replaced_by_something_less_stable(project: Project, mark: str, bad: str) -> None:
    findings = found(project, {"v1": api(NAME)}, {"v1": api(NAME, marks=mark), "v2alpha1": api(NAME)})
    wanted = [f"error VG722 v1 Robot: v1 is deprecated in favour of {bad}, which is less stable"] if bad else []
    assert said(findings) == wanted


@pytest.mark.parametrize(
    ("version", "deprecated", "removed", "wanted"),
    [
        ("v1beta1", "1.30", "1.32", "v1beta1 is deprecated in 1.30 and will be removed in 1.32, which is too early"),
        ("v1beta1", "1.30", "1.33", ""),
        ("v1alpha1", "1.30", "1.30", ""),
        ("v1", "1.30", "1.40", "v1 is generally available, and will be removed in 1.40"),
        ("v1", "1.30", "later", ""),
    ],
)
def test_rule_4a_lifetimes(project: Project, version: str, deprecated: str, removed: str, wanted: str) -> None:
    marks = "".join(
        f"// +k8s:prerelease-lifecycle-gen:{name}={value}\n"
        for name, value in (("introduced", "1.20"), ("deprecated", deprecated), ("removed", removed))
    )
    findings = found(project, {version: api(NAME)}, {version: api(NAME, marks=marks)})
    assert said(findings) == ([f"error VG723 {version} Robot: {wanted}"] if wanted else [])


def test_rule_4b_the_storage_version(project: Project) -> None:
    stored = api(NAME, marks="// +kubebuilder:storageversion\n")
    old, new = {"v1": api(NAME)}, {"v1": api(NAME), "v2": stored}
    assert said(found(project, old, new)) == [
        "error VG724 v1 Robot: objects are stored as v2, which the old state does not have"
    ]
    assert said(found(project, {**old, "v2": api(NAME)}, new)) == []
