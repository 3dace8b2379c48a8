"""Types of the standard library and of apimachinery that are known without their sources."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from typer.testing import CliRunner

from tests.case_folders import inside
from tests.tables import each
from validation_gen.cli.app import app, arguments
from validation_gen.diagnostics import Diagnostics
from validation_gen.sources import wellknown
from validation_gen.sources.go.package import read_package
from validation_gen.sources.reader import BundledImporter
from validation_gen.sources.wellknown import RELEASES, wellknown_source

ANY = {"x-kubernetes-preserve-unknown-fields": True}
TEXT = {"type": "string"}
TEXTS = {"additionalProperties": TEXT, "type": "object"}
LISTS = {"additionalProperties": {"items": TEXT, "type": "array"}, "type": "object"}
#: The schema of a field, `{}` for a struct with properties, by import path and name of its type.
SCHEMAS: dict[str, dict[str, Any]] = {
    "net/url.Values": LISTS,
    "net/http.Header": LISTS,
    "os.FileMode": {"maximum": 4294967295, "minimum": 0, "type": "integer"},
    "io/fs.FileMode": {"maximum": 4294967295, "minimum": 0, "type": "integer"},
    "time.Weekday": {"type": "integer"},
    "net.IP": TEXT,
    "net/netip.Prefix": TEXT,
    "regexp.Regexp": TEXT,
    "math/big.Int": ANY,
    "encoding/json.Number": TEXT,
    "k8s.io/apimachinery/pkg/labels.Set": TEXTS,
    "k8s.io/apimachinery/pkg/fields.Set": TEXTS,
    "k8s.io/apimachinery/pkg/watch.EventType": TEXT,
    "k8s.io/apimachinery/pkg/selection.Operator": TEXT,
    "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured.Unstructured": ANY,
    "k8s.io/api/policy/v1beta1.PodDisruptionBudgetStatus": {},
    "k8s.io/api/admissionregistration/v1.WebhookClientConfig": {},
    "k8s.io/api/admissionregistration/v1.RuleWithOperations": {},
    "k8s.io/api/storage/v1.StorageClass": {},
    "k8s.io/api/coordination/v1.LeaseSpec": {},
    "k8s.io/component-base/config/v1alpha1.LeaderElectionConfiguration": {},
}


def schema(directory: Path, type: str, pointer: str = "") -> dict[str, Any]:
    path, _, name = type.rpartition(".")
    kind = f'// +groupName=example.com\npackage v1\n\nimport (\n\tx "{path}"\n'
    kind += (
        '\tmetav1 "k8s.io/apimachinery/pkg/apis/meta/v1"\n)\n\n// +kubebuilder:object:root=true\ntype Pool struct {\n'
    )
    kind += '\tmetav1.TypeMeta `json:",inline"`\n\tmetav1.ObjectMeta `json:"metadata,omitempty"`\n'
    kind += f'\tValue {pointer}x.{name} `json:"value"`\n}}\n'
    (directory / "v1").mkdir()
    (directory / "v1/types.go").write_text(kind)
    with inside(directory):
        result = CliRunner().invoke(app, arguments(["crd", "v1", "-o", "out", "--format", "concise"]))
    assert (result.exit_code, "VG" in result.output) == (0, False), result.output
    definition = yaml.safe_load((directory / "out/example.com_pools.yaml").read_text(encoding="utf-8"))
    found = definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["value"]
    assert isinstance(found, dict)
    return found


@each("type", SCHEMAS)
def test_types_that_are_known(tmp_path: Path, type: str) -> None:
    found = schema(tmp_path, type, "*" if "." in type.partition("/")[0] else "")
    found.pop("description", None)
    assert found == SCHEMAS[type] or (not SCHEMAS[type] and found["properties"])


def test_the_version_of_a_program(tmp_path: Path) -> None:
    found = schema(tmp_path, "k8s.io/apimachinery/pkg/version.Info")
    assert found["properties"]["gitVersion"] == TEXT
    assert "emulationMajor" not in found["required"]


def test_what_comes_with_the_program_has_no_findings() -> None:
    """They are read once in a process, so that a finding would be reported in its first run alone."""
    for root in (Path(wellknown.__file__).with_name(folder) for folder in ("known", "wellknown")):
        for file in root.rglob("types.go"):
            source = wellknown_source(file.parent.relative_to(root).as_posix(), RELEASES[-1])
            if source is not None:
                found = Diagnostics()
                package = read_package(source, BundledImporter(RELEASES[-1]), found, user=False)
                assert (found.items, package.notes, package.broken) == ([], [], False), source.path
