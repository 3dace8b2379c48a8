"""States that are definitions: where they are read from, which belong together, and their versions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands.breaking.conftest import Project, api, said
from tests.kubernetes.crd.schemas import definition
from validation_gen.commands.breaking.run import Comparison, compare
from validation_gen.compiler.settings import Settings

Object = dict[str, Any]
LONG: Object = {"type": "object", "properties": {"name": {"type": "string", "maxLength": 9}}}
SHORT: Object = {"type": "object", "properties": {"name": {"type": "string", "maxLength": 8}}}
TIGHTER = ["error VG705 name: maxLength is 8, it was 9"]


def _text(schema: Object, **spec: Any) -> str:
    return json.dumps(definition(schema, **spec), indent=1)


def _versions(*names: str, stored: str = "", deprecated: str = "", **schemas: Object) -> list[Object]:
    return [
        {
            "name": name,
            "served": True,
            "storage": name == (stored or names[-1]),
            "deprecated": name == deprecated,
            "schema": {"openAPIV3Schema": schemas.get(name, LONG)},
        }
        for name in names
    ]


def _compare(against: str, *paths: str, sources: tuple[str, ...] = ()) -> Comparison:
    return compare(Settings(sources, definitions=paths or ("crds",)), against, all=True)


def test_directories(project: Project) -> None:
    project.write({"old/crds/a.json": _text(LONG), "crds/a.json": _text(SHORT)})
    result = _compare("old")
    assert (said(result), result.kinds) == (TIGHTER, 1)
    finding = result.diagnostics.items[0]
    assert (finding.span.file, finding.span.line) == ("crds/a.json", 25)
    assert str(finding.notes[0][1]).startswith("old/crds/a.json:25:")


def test_one_file_with_another(project: Project) -> None:
    project.write({"old.json": _text(LONG), "new.json": _text(SHORT)})
    assert said(_compare("old.json", "new.json")) == TIGHTER


def test_a_revision(project: Project) -> None:
    project.commit({"crds/deep/er/a.json": _text(LONG), "crds/notes.txt": "{"}, "one")
    project.write({"crds/deep/er/a.json": _text(SHORT)})
    for path in ("crds", "crds/deep/er/a.json"):
        result = _compare("git:one", path)
        assert said(result) == TIGHTER
        assert str(result.diagnostics.items[0].notes[0][1]).startswith("one:crds/deep/er/a.json:25:")


def test_links_in_a_revision(project: Project) -> None:
    """A link to a file is read, one to a directory is not, nor is one that leads out of the repository."""
    project.write({"real/a.json": _text(LONG), "outside.json": _text(LONG)})
    Path("crds").mkdir()
    Path("crds/a.json").symlink_to("../real/a.json")
    Path("crds/more").symlink_to("../real")
    Path("crds/b.json").symlink_to("/etc/passwd")
    project.commit({}, "one")
    for link in ("a.json", "more", "b.json"):
        Path("crds", link).unlink()
    project.write({"crds/a.json": _text(SHORT)})
    result = _compare("git:one")
    assert sorted(said(result)) == [
        *TIGHTER,
        (
            "error VG716 the old state has an error, so not all of it is compared: "
            "cannot read: it leads out of the repository, so it is no part of this state"
        ),
        "warning VG716 'crds/b.json' is left out of the old state: it leads out of the repository",
    ]


def test_standard_input_is_in_no_revision(project: Project) -> None:
    project.commit({"a.json": _text(LONG)}, "one")
    assert said(_compare("git:one", "-")) == ["error VG910 standard input is in no revision"]


def test_what_is_new_has_no_old_state(project: Project) -> None:
    project.commit({"other.txt": ""}, "one")
    project.write({"crds/a.json": _text(LONG)})
    assert said(_compare("git:one")) == [
        "warning VG716 one has no crds, so all of it counts as new",
        "info VG715 : the kind is new in this version",
    ]


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        (("v1beta1", "v1"), ("v1",), ["error VG701 the version v1beta1 of Robot is gone; v1 has it"]),
        (("v1alpha1", "v1"), ("v1",), ["warning VG701 the version v1alpha1 of Robot is gone; v1 has it"]),
        (("v1",), ("v1", "v2"), [
            "info VG715 the kind is new in this version",
            "error VG724 objects are stored as v2, which the old state does not have",
        ]),
    ],
)  # fmt: skip
def test_versions(project: Project, old: tuple[str, ...], new: tuple[str, ...], wanted: list[str]) -> None:
    project.write({"old/crds/a.json": _text({}, versions=_versions(*old))})
    project.write({"crds/a.json": _text({}, versions=_versions(*new))})
    assert sorted(text.replace(": ", "", 1) if " : " in text else text for text in _short(_compare("old"))) == sorted(
        wanted
    )


def _short(result: Comparison) -> list[str]:
    found = []
    for each in result.diagnostics.sorted():
        message = each.message.partition(" Robot: ")[2]
        found.append(f"{each.severity.value} {each.code} {message}")
    return found


def test_versions_that_cannot_keep_what_others_have(project: Project) -> None:
    same = _versions("v1", "v2", stored="v1")
    project.write({"old/crds/a.json": _text({}, versions=same)})
    project.write({"crds/a.json": _text({}, versions=_versions("v1", "v2", stored="v1", v2={"type": "object"}))})
    assert "warning VG721 `name` is not in v2, so that a round trip through it loses the value" in _short(
        _compare("old")
    )


def test_a_stable_version_in_favour_of_a_less_stable_one(project: Project) -> None:
    project.write({"old/crds/a.json": _text({}, versions=_versions("v1", "v2beta1", stored="v1"))})
    versions = _versions("v1", "v2beta1", stored="v1", deprecated="v1")
    project.write({"crds/a.json": _text({}, versions=versions)})
    assert _short(_compare("old")) == [
        "error VG722 v1 is deprecated in favour of v2beta1, which is less stable",
    ]


def test_what_a_resource_is_called(project: Project) -> None:
    names = {"kind": "Robot", "plural": "robots", "shortNames": ["rb"]}
    project.write({"old/crds/a.json": _text(LONG, names=names)})
    version = {**_versions("v1")[0], "served": False}
    project.write({"crds/a.json": _text(LONG, scope="Cluster", versions=[version])})
    assert _short(_compare("old")) == [
        "error VG701 the version is not served any more",
        "error VG713 the scope is Cluster, it was Namespaced",
        "warning VG713 the short name rb is gone",
    ]


def test_a_kind_that_is_gone_is_told_by_its_file(project: Project) -> None:
    other = _text(LONG, names={"kind": "Other", "plural": "others"}).replace("robots.example.com", "others.example.com")
    project.write({"old/crds/a.json": _text(LONG), "old/crds/b.json": other, "crds/b.json": other})
    result = _compare("old")
    assert _short(result) == ["error VG701 the kind is gone"]
    assert str(result.diagnostics.items[0].span).startswith("old/crds/a.json")


def test_copies_count_once_and_others_by_their_files(project: Project) -> None:
    for name, schema in (("old/crds/a", LONG), ("old/crds/b", LONG), ("old/crds/c", SHORT)):
        project.write({f"{name}/x.json": _text(schema)})
    for name, schema in (("crds/a", LONG), ("crds/b", LONG), ("crds/c", SHORT)):
        project.write({f"{name}/x.json": _text(schema)})
    assert said(_compare("old")) == []


def test_another_file_with_the_kind_is_compared_as_well(project: Project) -> None:
    project.write({"old/crds/a.json": _text(LONG), "crds/a.json": _text(LONG), "crds/b.json": _text(SHORT)})
    assert said(_compare("old")) == TIGHTER
    project.write({"old/crds/b.json": _text(SHORT), "crds/b.json": _text(LONG)})
    project.write({"crds/a.json": _text(SHORT), "crds/b.json": _text(SHORT)})
    assert said(_compare("old")) == TIGHTER


def test_a_webhook_that_converted(project: Project) -> None:
    client = {"url": "https://example.com/convert"}
    webhook = {"strategy": "Webhook", "webhook": {"clientConfig": client, "conversionReviewVersions": ["v1"]}}
    project.write({"old/crds/a.json": _text(LONG, conversion=webhook), "crds/a.json": _text(LONG)})
    assert _short(_compare("old")) == ["warning VG713 no webhook converts between versions any more"]


def test_a_definition_that_no_server_takes_is_not_compared(project: Project) -> None:
    project.write({"old/crds/a.json": _text(LONG), "crds/a.json": _text(LONG, scope="Nowhere")})
    found = _compare("old").diagnostics.items
    assert [each.code for each in found] == ["VG716", "VG701"]
    assert "`validation-gen crd lint` tells all of them" in found[0].help


def test_sources_and_definitions_together(project: Project) -> None:
    doc = "// +groupName=go.example.com\npackage v1\n"
    for place, limit in (("old/", 5), ("", 4)):
        source = api(f'// +k8s:maxLength={limit}\nName string `json:"name"`')
        project.write({f"{place}api/v1/types.go": source, f"{place}api/v1/doc.go": doc})
    project.write({"old/crds/a.json": _text(LONG), "crds/a.json": _text(SHORT)})
    result = _compare("old", "crds", sources=("api",))
    assert result.kinds == 2
    assert [each.message for each in result.diagnostics.sorted()] == [
        "go.example.com/v1 Robot spec.name: maxLength is 4, it was 5",
        "example.com/v1 Robot name: maxLength is 8, it was 9",
    ]


def test_types_in_one_state_and_a_definition_in_the_other(project: Project) -> None:
    doc = "// +groupName=example.com\npackage v1\n"
    other = _text(LONG, names={"kind": "Other", "plural": "others"}).replace("robots.example.com", "others.example.com")
    source = api('Name string `json:"name"`')
    project.write({"old/api/v1/types.go": source, "old/api/v1/doc.go": doc, "old/crds/b.json": other})
    project.write({"api/v1/types.go": source.replace("type Robot", "type Robots"), "api/v1/doc.go": doc})
    project.write({"crds/a.json": _text(LONG), "crds/b.json": other})
    told = "one state has types for the kind, the other one a definition, so its fields are not compared"
    assert f"warning VG716 {told}" in _short(_compare("old", "crds", sources=("api",)))


def test_deep_schemas_end_in_a_finding(project: Project) -> None:
    def deep(leaf: Object) -> str:
        text = json.dumps(leaf)
        for _ in range(300):
            text = f'{{"type": "object", "properties": {{"a": {text}}}}}'
        return json.dumps(definition()).replace('{"type": "object"}', text)

    project.write({"old/crds/a.json": deep({"type": "string"}), "crds/a.json": deep({"type": "integer"})})
    found = _compare("old").diagnostics.items
    assert found
    assert {each.code for each in found} <= {"VG704", "VG716"}


def test_of_two_definitions_in_one_file_the_later_one_counts(project: Project) -> None:
    both = f"{_text(LONG)}\n---\n{_text(SHORT)}\n"
    project.write({"old/crds/a.yaml": _text(LONG), "crds/a.yaml": both})
    assert said(_compare("old")) == TIGHTER
    project.write({"old/crds/a.yaml": both, "crds/a.yaml": _text(SHORT)})
    assert said(_compare("old")) == []


def test_an_old_file_that_cannot_be_parsed_is_an_error(project: Project) -> None:
    project.write({"old/crds/a.yaml": "a: [", "crds/a.yaml": _text(SHORT)})
    assert any(line.startswith("error VG716") for line in said(_compare("old")))


def test_subresources_that_are_new(project: Project) -> None:
    def scaled(path: str) -> str:
        scale = {"specReplicasPath": path, "statusReplicasPath": ".status.replicas"}
        [version] = _versions("v1")
        return _text(LONG, versions=[{**version, "subresources": {"status": {}, "scale": scale}}])

    project.write({"old/crds/a.json": _text(LONG), "crds/a.json": scaled(".spec.replicas")})
    assert said(_compare("old")) == [
        "warning VG713 : the scale subresource is new",
        "warning VG713 : the status subresource is new",
    ]
    project.write({"old/crds/a.json": scaled(".spec.size")})
    assert said(_compare("old")) == ["warning VG713 : the scale subresource is about other fields"]
