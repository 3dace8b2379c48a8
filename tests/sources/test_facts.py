"""What comes with the program of `k8s.io/api`: as the sources have it, and read only where it is needed.

Tests with a checkout need `VALIDATION_GEN_API` and `VALIDATION_GEN_APIMACHINERY`. `--update` writes the facts again.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.case_folders import inside
from tests.sources.facts import MARKER, MODULE, PACKAGES, facts, merge_releases
from tests.tables import each
from tests.upstream_packages import API, APIMACHINERY
from validation_gen.cli.app import app, arguments
from validation_gen.diagnostics import Diagnostics
from validation_gen.rules.releases import RELEASES as TARGETS
from validation_gen.sources.go.package import read_package
from validation_gen.sources.model import Array, List, Map, Named, Package, Pointer, Struct, TypeDecl, TypeExpr, Universe
from validation_gen.sources.reader import read_universe
from validation_gen.sources.wellknown import KNOWN, RELEASES, at_release, wellknown_source
from validation_gen.tags.model import CommentLine

needs_api = pytest.mark.skipif(API is None, reason="VALIDATION_GEN_API must name a checkout")
needs_both = pytest.mark.skipif(
    API is None or APIMACHINERY is None,
    reason="VALIDATION_GEN_API and VALIDATION_GEN_APIMACHINERY must name checkouts",
)

#: Types of each package that the kind has fields of.
EMBEDDED = """
package v1

import (
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// +kubebuilder:object:root=true
type Pool struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec PoolSpec `json:"spec,omitempty"`
}

type PoolSpec struct {
	corev1.LocalObjectReference `json:",inline"`

	Deployment appsv1.DeploymentSpec `json:"deployment"`
	Claims []corev1.PersistentVolumeClaim `json:"claims,omitempty"`
	Scale autoscalingv1.ScaleSpec `json:"scale"`
	Metrics []autoscalingv2.MetricSpec `json:"metrics,omitempty"`
	Job batchv1.CronJobSpec `json:"job"`
	// +listType=map
	// +listMapKey=name
	Envs []corev1.EnvVar `json:"envs,omitempty"`
	Service *corev1.ServiceSpec `json:"service,omitempty"`
	Node corev1.NodeSpec `json:"node,omitempty"`
	Ingress networkingv1.IngressSpec `json:"ingress"`
	Network networkingv1.NetworkPolicySpec `json:"network"`
	Budget policyv1.PodDisruptionBudgetSpec `json:"budget"`
	Rules []rbacv1.PolicyRule `json:"rules"`
	Selector metav1.LabelSelector `json:"selector"`
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	Size resource.Quantity `json:"size"`
	Port intstr.IntOrString `json:"port"`
	Every *metav1.Duration `json:"every,omitempty"`
}
"""


def file(path: str) -> Path:
    return KNOWN.joinpath(*path.split("/"), "types.go")


def source(path: str) -> Path:
    assert API is not None
    return API / path.removeprefix(f"{MODULE}/")


@needs_api
@each("path", PACKAGES)
def test_facts_are_those_of_the_checkout(path: str, update: bool) -> None:
    text = facts(source(path), path)
    if update:
        file(path).parent.mkdir(parents=True, exist_ok=True)
        known = file(path).read_text(encoding="utf-8") if file(path).exists() else ""
        merged = merge_releases({each: at_release(known, each) for each in RELEASES[:-1]} | {RELEASES[-1]: text})
        file(path).write_text(merged, encoding="utf-8")
    assert at_release(file(path).read_text(encoding="utf-8"), RELEASES[-1]) == text


def test_facts_are_those_of_the_releases_that_can_be_targeted() -> None:
    assert (*RELEASES, "1.38") == TARGETS  # 1.38 is an alpha: its types are not recorded


@each("path", PACKAGES)
def test_facts_of_a_release_read_without_findings(path: str) -> None:
    text = file(path).read_text(encoding="utf-8")
    parts = {release: at_release(text, release) for release in RELEASES}
    assert merge_releases(parts) == text
    for release, part in parts.items():
        package = wellknown_source(path, release)
        assert (package is None) is (not part)
        if package is not None:
            diagnostics = Diagnostics()
            read_package(package, _NoOthers(), diagnostics, user=False)
            assert {item.code for item in diagnostics.items} <= {"VG304"}  # constants made of those of other packages


class _NoOthers:
    def package_name(self, path: str) -> str | None:
        return path.rpartition("/")[2]

    def package(self, path: str) -> Package | None:
        return None


def test_merged_texts_come_apart_again() -> None:
    texts = {"1.33": "a\nb\nd\n", "1.34": "a\nc\nd\n", "1.35": "", "1.36": "a\nb\nc\nd\ne\n"}
    merged = merge_releases(texts)
    assert {release: at_release(merged, release) for release in texts} == texts
    assert "//release 1.34 1.36\nc\n//release" in merged
    assert merge_releases({"1.33": "a\n", "1.34": "a\n"}) == "a\n"


#: Fields of core types with the releases that have them.
SINCE = {
    ("core/v1", "Container", "RestartPolicyRules"): RELEASES[1:],
    ("core/v1", "PodSpec", "WorkloadRef"): ("1.35",),
    ("core/v1", "PodSpec", "HostnameOverride"): RELEASES[1:],
    ("core/v1", "Toleration", "Key"): RELEASES,
    ("core/v1", "VolumeProjection", "PodCertificate"): RELEASES[1:],
}


@pytest.mark.parametrize("place", SINCE, ids="-".join)
def test_fields_come_with_their_releases(place: tuple[str, str, str]) -> None:
    path, name, member = place
    found = []
    for release in RELEASES:
        package = wellknown_source(f"{MODULE}/{path}", release)
        assert package is not None
        struct = read_package(package, _NoOthers(), Diagnostics(), user=False).types[name].type
        assert isinstance(struct, Struct)
        found += [release for each in struct.fields if each.go_name == member]
    assert tuple(found) == SINCE[place]


MODFILES = {
    "": "1.37",
    "require k8s.io/api v0.34.2": "1.34",
    "require k8s.io/apimachinery v0.35.0": "1.35",
    "require (\n\tk8s.io/apimachinery v0.36.1\n\tk8s.io/api v0.33.11 // indirect\n)": "1.33",
    "require k8s.io/client-go v0.36.0-rc.1": "1.36",
    "require k8s.io/api v0.21.0": "1.33",
    "require k8s.io/api v0.99.0": "1.37",
    "require k8s.io/api v0.33.0\nreplace k8s.io/api => k8s.io/api v0.35.3": "1.35",
    "require k8s.io/api v1.5.2": "1.37",
}


@each("modfile", MODFILES)
def test_go_mod_decides_which_fields_there_are(tmp_path: Path, modfile: str) -> None:
    (tmp_path / "v1").mkdir()
    (tmp_path / "go.mod").write_text(f"module example.com/m\n\n{modfile}\n")
    kind = 'package v1\n\nimport (\n\tcorev1 "k8s.io/api/core/v1"\n'
    kind += (
        '\tmetav1 "k8s.io/apimachinery/pkg/apis/meta/v1"\n)\n\n// +kubebuilder:object:root=true\ntype Pool struct {\n'
    )
    kind += '\tmetav1.TypeMeta `json:",inline"`\n\tmetav1.ObjectMeta `json:"metadata,omitempty"`\n'
    kind += '\tContainer corev1.Container `json:"container"`\n}\n'
    (tmp_path / "v1/types.go").write_text(f"// +groupName=example.com\n{kind}")
    with inside(tmp_path):
        result = CliRunner().invoke(app, arguments(["crd", "v1", "-o", "out"]))
    wanted = MODFILES[modfile]
    told = (
        f"no module found with k8s.io/api/core/v1: used the types of Kubernetes {wanted} that come with validation-gen"
    )
    assert (result.exit_code, told in result.output) == (0, True), result.output
    text = (tmp_path / "out/example.com_pools.yaml").read_text(encoding="utf-8")
    assert ("restartPolicyRules" in text) is (wanted != "1.33")


def test_there_are_no_other_facts() -> None:
    assert sorted(path for path in KNOWN.rglob("*") if path.is_file()) == sorted(map(file, PACKAGES))


def _named(type: TypeExpr) -> Iterator[Named]:
    if isinstance(type, Named):
        yield type
    elif isinstance(type, Map):
        yield from (*_named(type.key), *_named(type.elem))
    elif isinstance(type, Pointer | List | Array):
        yield from _named(type.elem)
    elif isinstance(type, Struct):
        for member in type.fields:
            yield from _named(member.type)


@each("path", PACKAGES)
def test_all_that_facts_refer_to_is_known(path: str, tmp_path: Path) -> None:
    (tmp_path / "a.go").write_text("package a\n\ntype A string\n")
    diagnostics = Diagnostics()
    with inside(tmp_path):
        universe = read_universe(["."], diagnostics)
        package = universe.package(path)
        assert package is not None
        for declaration in package.types.values():
            assert [type for type in _named(declaration.type) if universe.find(type) is None] == []
    assert diagnostics.items == []


def _marks(lines: tuple[CommentLine, ...]) -> list[str]:
    return [line.text.strip() for line in lines if MARKER.match(line.text.strip())]


def _said(declaration: TypeDecl) -> Iterator[object]:
    yield declaration.name, str(declaration.type), declaration.alias, declaration.custom_json, declaration.text_json
    yield _marks(declaration.closest), _marks(declaration.second_closest)
    for member in declaration.type.fields if isinstance(declaration.type, Struct) else ():
        yield member.go_name, str(member.type), member.json, member.inline, member.omitted, member.embedded, member.omit
        yield _marks(member.comments)


@needs_api
@each("path", PACKAGES)
def test_declarations_are_those_of_the_checkout(path: str, tmp_path: Path) -> None:
    """The reader makes of the facts what it makes of the sources, comments apart."""

    def declared(universe: Universe) -> tuple[Package, list[object]]:
        package = universe.package(path)
        assert package is not None
        return package, [each for name in sorted(package.types) for each in _said(package.types[name])]

    (tmp_path / "a.go").write_text("package a\n")
    with inside(tmp_path):
        here, mine = declared(read_universe(["."], Diagnostics()))
        there, wanted = declared(read_universe(["."], Diagnostics(), modules={MODULE: str(API)}))
    assert mine == wanted
    assert here.directory == f"wellknown/{path}" != there.directory
    assert {(c.name, str(c.type), c.value) for c in here.constants} == {
        (c.name, str(c.type), c.value) for c in there.constants
    }


def _definition(directory: Path, *options: str) -> str:
    (directory / "v1").mkdir(exist_ok=True)
    (directory / "go.mod").write_text("module example.com/m\n")
    (directory / "v1/types.go").write_text(EMBEDDED)
    (directory / "v1/doc.go").write_text("// +groupName=example.com\npackage v1\n")
    with inside(directory):
        result = CliRunner().invoke(app, arguments(["crd", "v1", "-o", "out", *options]))
    assert result.exit_code == 0, result.output
    return (directory / "out/example.com_pools.yaml").read_text(encoding="utf-8")


@needs_both
def test_definitions_are_the_same_with_and_without_the_module(tmp_path: Path) -> None:
    """Laptop and CI write the same bytes where descriptions are left out: the facts have none."""
    modules = ("--module", f"{MODULE}={API}", "--module", f"k8s.io/apimachinery={APIMACHINERY}")
    without, found = (
        _definition(tmp_path, "--max-description", "0"),
        _definition(tmp_path, "--max-description", "0", *modules),
    )
    assert without == found
    assert "x-kubernetes-list-map-keys" in without
    assert "x-kubernetes-preserve-unknown-fields" not in without


def test_facts_are_read_only_where_they_are_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    read = Path.read_text

    def noted(path: Path, *arguments: object, **options: object) -> str:
        asked.append(path.as_posix())
        return read(path, *arguments, **options)  # type: ignore[arg-type]

    (tmp_path / "a.go").write_text('package a\nimport v1 "k8s.io/api/core/v1"\ntype A struct { B v1.EnvVar }\n')
    with inside(tmp_path):
        universe = read_universe(["."], Diagnostics())
        wellknown_source.cache_clear()
        monkeypatch.setattr(Path, "read_text", noted)
        assert not [path for path in asked if "sources/known/" in path]
        assert universe.find(Named(f"{MODULE}/rbac/v1", "PolicyRule")) is not None
    assert [path for path in asked if "sources/known/" in path] == [file(f"{MODULE}/rbac/v1").as_posix()]


SMALL = """package v1

import v1 "k8s.io/api/rbac/v1"

type A struct {
	// +k8s:required
	B *v1.RoleRef `json:"b"`
}
"""


def test_the_command_tells_that_facts_were_used(tmp_path: Path) -> None:
    (tmp_path / "v1").mkdir()
    (tmp_path / "v1/a.go").write_text(SMALL)
    told = "no module found with k8s.io/api/rbac/v1: used the types of Kubernetes 1.37 that come with validation-gen"
    with inside(tmp_path):
        for _ in range(2):  # the second result is kept from the first
            result = CliRunner().invoke(app, arguments(["generate", "v1", "-o", "out"]))
            assert (result.exit_code, told in result.stderr, told in result.stdout) == (0, True, False), result.output
        (tmp_path / "rbac/v1").mkdir(parents=True)
        (tmp_path / "rbac/v1/r.go").write_text("package v1\ntype RoleRef struct{}\n")
        found = CliRunner().invoke(app, arguments(["generate", "v1", "-o", "other", "--module", f"{MODULE}=."]))
    assert (found.exit_code, told in found.output) == (0, False), found.output
