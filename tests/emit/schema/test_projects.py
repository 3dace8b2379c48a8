"""Agreement with the definitions that projects publish, made by controller-gen from their Go types.

Each needs a checkout, which an environment variable names, and is best read with those of `k8s.io/apimachinery` and
`k8s.io/api` (`VALIDATION_GEN_APIMACHINERY`, `VALIDATION_GEN_API`) at the release that its `go.mod` names. Checkouts
move on, so that not single differences are listed but the share of equal values; `docs/controller-gen.md` has reasons.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.case_folders import inside
from tests.emit.schema.comparison import share
from tests.tables import each
from tests.upstream_packages import API, APIMACHINERY
from validation_gen.compiler.definitions import build_definitions
from validation_gen.compiler.pipeline import Settings, build_program
from validation_gen.emit.schema import SchemaOptions

_Loader: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Project:
    """Directories of a project's types and of its definitions. `least` is the smallest share of equal values.

    `described` compares descriptions, too. `modules` maps other modules that its types import to the variables that
    name their checkouts.
    """

    variable: str
    sources: tuple[str, ...]
    published: str
    least: float
    described: bool = True
    modules: Mapping[str, str] = field(default_factory=dict)


PROJECTS = (
    Project(
        "VALIDATION_GEN_CERT_MANAGER",
        ("pkg/apis/acme/v1", "pkg/apis/certmanager/v1"),
        "deploy/crds",
        least=0.999,
        modules={"sigs.k8s.io/gateway-api": "VALIDATION_GEN_GATEWAY_API"},
    ),
    Project("VALIDATION_GEN_KUEUE", ("apis/kueue",), "config/components/crd/bases", least=0.999),
    Project(
        "VALIDATION_GEN_CLUSTER_API",
        ("api/addons", "api/core", "api/ipam", "api/runtime"),
        "core/config/crd/bases",
        least=0.999,
    ),
    Project("VALIDATION_GEN_CLUSTER_API", ("api/bootstrap",), "bootstrap/kubeadm/config/crd/bases", least=0.999),
    Project("VALIDATION_GEN_CLUSTER_API", ("api/controlplane",), "controlplane/kubeadm/config/crd/bases", least=0.999),
    # Its Makefile cuts descriptions at 128 characters, by another rule than ours.
    Project(
        "VALIDATION_GEN_TRAINER",
        ("pkg/apis/trainer",),
        "manifests/base/crds",
        least=0.999,
        described=False,
        modules={"sigs.k8s.io/jobset": "VALIDATION_GEN_JOBSET", "volcano.sh/apis": "VALIDATION_GEN_VOLCANO"},
    ),
    # It has a generator of its own, which cuts descriptions and knows more markers.
    Project(
        "VALIDATION_GEN_GATEWAY_API",
        ("apis/v1", "apis/v1alpha2", "apis/v1alpha3", "apis/v1beta1", "apisx/v1alpha1"),
        "config/crd/experimental",
        least=0.98,
        described=False,
    ),
)


def _definitions(texts: list[str], *, described: bool) -> dict[str, Any]:
    """Definitions by name, without the annotation that names the generator."""
    found = {}
    for text in texts:
        for value in yaml.load_all(text, _Loader):
            if isinstance(value, dict) and value.get("kind") == "CustomResourceDefinition":
                value["metadata"].pop("annotations", None)
                found[value["metadata"]["name"]] = value if described else _silent(value)
    return found


def _silent(value: Any) -> Any:
    """A schema without the texts that describe it."""
    if isinstance(value, dict):
        kept = {key: part for key, part in value.items() if key != "description" or not isinstance(part, str)}
        return {key: _silent(part) for key, part in kept.items()}
    return [_silent(part) for part in value] if isinstance(value, list) else value


def _checkout(variable: str) -> str:
    return os.environ.get(variable, "")


def _has_checkouts(project: Project) -> bool:
    return all(map(_checkout, (project.variable, *project.modules.values())))


HERE = [project for project in PROJECTS if _has_checkouts(project)] if API and APIMACHINERY else []


@pytest.mark.skipif(not HERE, reason="the environment names no checkouts of projects, k8s.io/api and apimachinery")
@each("project", HERE, ids=lambda project: project.published)
def test_published_definitions(project: Project) -> None:
    known = {"k8s.io/apimachinery": str(APIMACHINERY), "k8s.io/api": str(API)}
    known |= {module: str(Path(_checkout(variable)).resolve()) for module, variable in project.modules.items()}
    with inside(Path(_checkout(project.variable)).resolve()):
        built = build_program(Settings(project.sources, modules=known, every_kind=True))
        made = build_definitions(built.program, SchemaOptions(), built.diagnostics)
        ours = _definitions(list(made.values()), described=project.described)
        files = [file.read_text(encoding="utf-8") for file in sorted(Path(project.published).glob("*.yaml"))]
        theirs = _definitions(files, described=project.described)
    both = ours.keys() & theirs.keys()
    assert len(both) >= 2
    counts = [share(ours[name], theirs[name]) for name in sorted(both)]
    equal, total = sum(count[0] for count in counts), sum(count[1] for count in counts)
    assert equal / total >= project.least, f"{equal} of {total} values are equal in {len(both)} definitions"
