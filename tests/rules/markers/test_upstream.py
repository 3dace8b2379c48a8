"""Markers of real projects: no finding is wrong, and what is read is what controller-gen makes of it.

These tests need checkouts, which environment variables name: `VALIDATION_GEN_CONTROLLER_TOOLS`
(kubernetes-sigs/controller-tools), `VALIDATION_GEN_GATEWAY_API` (kubernetes-sigs/gateway-api), `VALIDATION_GEN_API`
(kubernetes/api).
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.case_folders import inside
from tests.rules.markers.agreement import Comparison
from tests.rules.markers.sources import read


def checkout(variable: str) -> Path:
    path = os.environ.get(variable)
    if not path:
        pytest.skip(f"{variable} must name a checkout")
    return Path(path).resolve()


def findings(directory: Path) -> list[tuple[str, str, str]]:
    """Code, file and message of all findings in a directory."""
    with inside(directory):
        found = read(["."])
    return [(d.code, d.span.file, d.message.partition(": ")[2]) for d in found.diagnostics]


@pytest.fixture(scope="module")
def testdata() -> Path:
    return checkout("VALIDATION_GEN_CONTROLLER_TOOLS") / "pkg" / "crd" / "testdata"


def test_findings_in_the_inputs_of_controller_gen(testdata: Path) -> None:
    """What its tests expect to fail is an error; of misspelt markers, which it skips, we warn."""
    nullable, optional = (f"unknown marker +kubebuilder:validation:{name}" for name in ("nullable", "optional"))
    found = findings(testdata)
    assert [each for each in found if each[0] == "VG521"] == [
        *[("VG521", "cronjob_types.go", name) for name in (nullable, nullable, nullable, optional)],
        *[("VG521", "wrong_annotation_format/cronjob_types.go", n) for n in (nullable, nullable, nullable, optional)],
    ]
    assert [(code, file) for code, file, _ in found if code != "VG521"] == [
        ("VG524", "oneof_error/types.go"),
        ("VG526", "oneof_missing_tag_error/types.go"),
        ("VG524", "wrong_annotation_format/cronjob_types.go"),
        ("VG524", "wrong_title_format/types.go"),
        ("VG524", "wrong_title_format/types.go"),
    ]


def test_agreement_with_controller_gen(testdata: Path) -> None:
    with inside(testdata):
        comparison = Comparison.of(["."])
        packages = comparison.types.universe.packages
        root = "testdata.kubebuilder.io/cronjob"
        for name, package, version in (
            ("testdata.kubebuilder.io_cronjobs.yaml", root, "v1"),
            ("testdata.kubebuilder.io_cronjobs.yaml", f"{root}/unserved", "v1beta1"),
            ("testdata.kubebuilder.io_cronjobs.yaml", f"{root}/deprecated", "v1beta2"),
            ("testdata.kubebuilder.io_jobs.yaml", f"{root}/job", "v1beta1"),
            ("testdata.kubebuilder.io_enums.yaml", f"{root}/enum", "v1"),
            ("testdata.kubebuilder.io_externaldocs.yaml", f"{root}/external_docs", "v1"),
            ("testdata.kubebuilder.io_oneofs.yaml", f"{root}/oneof", "v1beta1"),
            ("plural/plural.example.com_testquotas.yaml", f"{root}/plural", "v1"),
            (
                "multiple_versions/testdata.kubebuilder.io_versionedresources.yaml",
                f"{root}/multiple_versions/v1beta1",
                "v1beta1",
            ),
            (
                "multiple_versions/testdata.kubebuilder.io_versionedresources.yaml",
                f"{root}/multiple_versions/v1beta2",
                "v1beta2",
            ),
        ):
            comparison.compare(Path(name), packages[package], version)
    wellknown = ("apiVersion: description", "kind: description")  # their documentation is not ours
    assert [each for each in comparison.differences if not each.endswith(wellknown)] == [
        "v1.CronJob.spec.foo: no field",  # of an embedded struct that is not exported, which the readers leave out
        "v1.CronJob.spec.k8sConcurrencyPolicy: enum",  # +k8s:enum is a rule's
        "v1.Enum.spec.field: enum",
    ]
    assert comparison.agreed > 800


def test_gateway_api_has_no_findings() -> None:
    assert findings(checkout("VALIDATION_GEN_GATEWAY_API") / "apis") == []


def test_findings_in_kubernetes() -> None:
    """All of them are slips: the type of a list on a string, fields that are both optional and required."""
    found = findings(checkout("VALIDATION_GEN_API"))
    contradiction = "+optional contradicts +kubebuilder:validation:Required in line "
    assert [(code, file, message.partition(contradiction)[1] or message) for code, file, message in found] == [
        ("VG525", "admissionregistration/v1beta1/types.go", "+listType: this is for lists, and the value is a string"),
        ("VG526", "core/v1/types.go", contradiction),
        ("VG526", "extensions/v1beta1/types.go", contradiction),
        ("VG526", "networking/v1/types.go", contradiction),
        ("VG526", "networking/v1beta1/types.go", contradiction),
    ]
