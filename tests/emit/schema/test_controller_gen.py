"""Agreement with controller-gen on its own test inputs. They are read from a checkout and never copied.

Set `VALIDATION_GEN_CONTROLLER_TOOLS` to a checkout of kubernetes-sigs/controller-tools. With
`VALIDATION_GEN_APIMACHINERY` the sources of `k8s.io/apimachinery` are read, too, so that descriptions from there agree;
the largest input needs `VALIDATION_GEN_API`. Both are best at the release that `pkg/crd/testdata/go.mod` names.

Every difference is listed with its reason. One that is listed and is not there any more fails, too. What people should
know of them stands in `docs/controller-gen.md`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import yaml

from tests.case_folders import inside
from tests.emit.schema.comparison import Difference, differences, share
from tests.tables import each
from tests.upstream_packages import API, APIMACHINERY, CONTROLLER_TOOLS, needs_controller_tools
from validation_gen.compiler.definitions import build_definitions
from validation_gen.compiler.pipeline import Settings, build_program
from validation_gen.diagnostics import Severity
from validation_gen.emit.schema import SchemaOptions

INPUTS = (CONTROLLER_TOOLS or Path()) / "pkg/crd/testdata"
_SPEC = "/spec/versions/*/schema/openAPIV3Schema/properties/spec"
_Loader: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Known:
    """A difference that is meant. `path` can have stars, which stand for any text."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Input:
    """Sources, and the definition that controller-gen makes of them. `api` tells that `k8s.io/api` is needed."""

    want: str
    sources: tuple[str, ...]
    known: tuple[Known, ...] = ()
    max_description: int | None = None
    api: bool = False
    file: str = field(default="")

    @property
    def made(self) -> str:
        """The name of the file that we make."""
        return self.file or Path(self.want).name


_MARK = Known(
    "/metadata/annotations*",
    "The annotation names the version of controller-gen. Ours is in a comment at the head of the file.",
)
_OWN_WORDS = Known(
    "*/properties/*/description",
    "Without the sources of k8s.io/apimachinery its types are described in our words.",
)
_OTHER_RELEASE = Known(f"{_SPEC}/properties/jobTemplate/*", "The checkout of k8s.io/api is of another release.")

_IMMUTABLE = (
    "The rule is that of the validators: an optional field cannot be set later either. controller-gen lets it be set "
    "once, with a rule at the field and one above it."
)
_INNER_METADATA = (
    "The API server prunes what a schema does not name, so that labels of templates would be lost. The same as with "
    "controller-gen's generateEmbeddedObjectMeta=true."
)
_TIGHTER = "Of two limits on one value the tighter one is written, instead of both below allOf."

CRONJOBS = (
    Known(
        f"{_SPEC}/properties/explicitlyRequiredK8s/minLength",
        "+k8s:required demands that a string is not empty. controller-gen takes it for +required.",
    ),
    Known(f"{_SPEC}/properties/fieldLevelAliasOverride/*", _TIGHTER),
    Known(f"{_SPEC}/properties/fieldLevelLocalDeclarationOverride/*", _TIGHTER),
    Known(
        f"{_SPEC}/properties/foo",
        "The field stands in an embedded struct whose name is lower-case. Kubernetes' generators do not see into it.",
    ),
    Known(f"{_SPEC}/required", "The same field, which is required."),
    Known(f"{_SPEC}/properties/jobTemplate/properties/metadata/properties", _INNER_METADATA),
    Known(f"{_SPEC}/properties/jobTemplate/*/template/properties/metadata/properties", _INNER_METADATA),
    Known(f"{_SPEC}/properties/jobTemplate/*/volumeClaimTemplate/properties/metadata/properties", _INNER_METADATA),
    Known("*/properties/duration/properties/value/description", "The sources of Go's own packages are not read."),
)

INPUTS_AND_WANTS = (
    Input(
        "testdata.kubebuilder.io_cronjobs.yaml",
        ("cronjob_types.go", "deprecated", "unserved"),
        (_MARK, *CRONJOBS),
        api=True,
    ),
    Input("testdata.kubebuilder.io_jobs.yaml", ("job",), (_MARK,)),
    Input(
        "testdata.kubebuilder.io_immutabletypes.yaml",
        ("immutable",),
        (
            _MARK,
            Known(f"{_SPEC}/properties/optional*/x-kubernetes-validations", _IMMUTABLE),
            Known(f"{_SPEC}/x-kubernetes-validations/*", _IMMUTABLE),
        ),
    ),
    Input("testdata.kubebuilder.io_oneofs.yaml", ("oneof",), (_MARK,)),
    Input("testdata.kubebuilder.io_enums.yaml", ("enum",)),
    Input("testdata.kubebuilder.io_externaldocs.yaml", ("external_docs",), (_MARK,)),
    Input("testdata._cronjobs.yaml", ("nogroup",), (_MARK,), file="_cronjobs.yaml"),
    Input("plural/plural.example.com_testquotas.yaml", ("plural",), (_MARK,)),
    Input("gen/bar.example.com_foos.yaml", ("gen/foo_types.go",), (_MARK,)),
    Input(
        "gen/bar.example.com_foos_maxdesclen.yaml",
        ("gen/foo_types.go",),
        (_MARK,),
        max_description=50,
        file="bar.example.com_foos.yaml",
    ),
    Input("gen/zoo/bar.example.com_zoos.yaml", ("gen/zoo",), (_MARK,)),
    Input("multiple_versions/testdata.kubebuilder.io_versionedresources.yaml", ("multiple_versions",), (_MARK,)),
)

#: Wanted files that are no input of this test.
LEFT_ALONE = {
    "gen/bar.example.com_foos.v1beta1.yaml": "apiextensions.k8s.io/v1beta1 is not served since Kubernetes 1.22",
    "gen/zoo/bar.example.com_zoos.v1beta1.yaml": "apiextensions.k8s.io/v1beta1 is not served since Kubernetes 1.22",
}


def _settings(*sources: str) -> Settings:
    modules = {"k8s.io/apimachinery": APIMACHINERY, "k8s.io/api": API}
    known = {path: str(directory) for path, directory in modules.items() if directory is not None}
    return Settings(sources, modules=known, every_kind=True)


def _made(case: Input) -> Any:
    with inside(INPUTS):
        built = build_program(_settings(*case.sources))
        files = build_definitions(built.program, SchemaOptions(max_description=case.max_description), built.diagnostics)
    return yaml.load(files[case.made], _Loader)


def _wanted(case: Input) -> Any:
    return yaml.load((INPUTS / case.want).read_text(encoding="utf-8"), _Loader)


def _release(go_mod: Path) -> str:
    found = re.search(r"\bk8s\.io/(?:api|apimachinery) (v\S+)", go_mod.read_text(encoding="utf-8"))
    return found[1] if found else ""


def _known(case: Input) -> Iterator[tuple[Known, bool]]:
    """The known differences, and whether there must be one."""
    for known in case.known:
        yield known, True
    if APIMACHINERY is None:
        yield _OWN_WORDS, False
    if case.api and API is not None and _release(API / "go.mod") != _release(INPUTS / "go.mod"):
        yield _OTHER_RELEASE, False


@needs_controller_tools
@each("case", [case for case in INPUTS_AND_WANTS if API or not case.api], ids=lambda case: case.want)
def test_the_definitions_agree(case: Input) -> None:
    ours, theirs = _made(case), _wanted(case)
    found = list(differences(ours, theirs))
    known = list(_known(case))
    unknown: list[Difference] = [
        each for each in found if not any(fnmatchcase(each.path, listed.path) for listed, _ in known)
    ]
    equal, all_of_them = share(ours, theirs)
    assert not unknown, f"{equal} of {all_of_them} values are equal\n" + "\n".join(map(str, unknown))
    for listed, demanded in known:
        assert not demanded or any(fnmatchcase(each.path, listed.path) for each in found), f"not so any more: {listed}"


@needs_controller_tools
def test_all_wanted_definitions_are_compared() -> None:
    wanted = {file.relative_to(INPUTS).as_posix() for file in INPUTS.rglob("*.yaml")}
    assert wanted == {case.want for case in INPUTS_AND_WANTS} | LEFT_ALONE.keys()


#: What controller-gen refuses, with what we say there; nothing where we take it.
REFUSED = {
    "enum_error": 'tag "k8s:enum" cannot be specified on struct fields',
    "inline_struct_error": "",  # a struct without a name is as good as one with a name
    "oneof_error": '"field.foo" is not a field of this struct',
    "oneof_missing_tag_error": '"foo" is always set',
    "wrong_annotation_format": "is no key=value",
    "wrong_title_format": "the title is not a string",
    "iface": "",  # a field of any type takes any value
}


@needs_controller_tools
@each("name", REFUSED)
def test_what_controller_gen_refuses(name: str) -> None:
    with inside(INPUTS):
        found = build_program(_settings(name)).diagnostics.sorted()
    errors = [each for each in found if each.severity is Severity.ERROR]
    if REFUSED[name]:
        assert any(REFUSED[name] in each.message for each in errors), [each.message for each in found]
    else:
        assert not errors


@needs_controller_tools
def test_an_internal_package_has_no_definitions() -> None:
    with inside(INPUTS):
        built = build_program(_settings("internal_version"))
    assert not build_definitions(built.program, SchemaOptions(), built.diagnostics)


@needs_controller_tools
def test_any_value_is_kept() -> None:
    with inside(INPUTS):
        built = build_program(_settings("iface"))
    files = build_definitions(built.program, SchemaOptions(), built.diagnostics)
    made = yaml.load(next(iter(files.values())), _Loader)
    schema = made["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    assert schema["properties"]["spec"]["properties"]["bar"] == {"x-kubernetes-preserve-unknown-fields": True}
