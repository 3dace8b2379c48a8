"""Schemas in manifests that people maintain: what is replaced, what stays byte for byte, and what is refused."""

from __future__ import annotations

import copy
import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import each
from validation_gen.diagnostics import Diagnostics
from validation_gen.emit.schema.patch import Patched, find_schemas, patch_files, patch_manifest
from validation_gen.kubernetes.yaml import read_documents

NEW = {"description": "One.\nTwo: # no comment", "type": "object", "x": ["yes", 5]}
KEY = ("example.com", "Robot")
SCHEMAS = {KEY: {"v1": NEW}}

HEAD = """\
# by hand
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: robots.example.com}   # flow style, ä, \U0001f600
spec:
  group: 'example.com'
  names:
      kind:  Robot
      plural: robots
  versions:
"""


V1 = "  - name: v1\n    schema:\n      openAPIV3Schema:\n"


def patch(text: str, schemas: Mapping[tuple[str, str], Mapping[str, Any]] = SCHEMAS) -> Patched:
    """The result where nothing is wrong. It must stay as it is when the same is wanted again."""
    diagnostics = Diagnostics()
    result = patch_manifest(text, "a.yaml", schemas, diagnostics)
    assert diagnostics.items == []
    check(text, result, schemas)
    return result


def check(text: str, result: Patched, schemas: Mapping[tuple[str, str], Mapping[str, Any]]) -> None:
    assert canonical(values(result.text)) == canonical(with_schemas(values(text), schemas))
    assert "".join(spliced(text, result)) == result.text
    again = patch_manifest(result.text, "a.yaml", schemas, Diagnostics())
    assert (again.text, again.replaced) == (result.text, [])


def spliced(text: str, result: Patched) -> Iterator[str]:
    end = 0
    for replacement in result.replaced:
        yield text[end : replacement.edit.start]
        yield replacement.edit.text
        end = replacement.edit.end
    yield text[end:]


def values(text: str) -> list[Any]:
    return [document.value for document in read_documents(text.removeprefix("\ufeff"))]


def canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def with_schemas(documents: list[Any], schemas: Mapping[tuple[str, str], Mapping[str, Any]]) -> list[Any]:
    documents = copy.deepcopy(documents)
    items = [item for document in documents for item in ((document or {}).get("items") or [document])]
    for item in items:
        if item and item.get("kind", "CustomResourceDefinition") == "CustomResourceDefinition":
            spec = item["spec"]
            known = schemas.get((spec["group"], spec["names"]["kind"]), {})
            for version in spec["versions"]:
                if version["name"] in known:
                    version["schema"] = {**(version.get("schema") or {}), "openAPIV3Schema": known[version["name"]]}
    return documents


def indented(text: str, by: int) -> str:
    return re.sub("^(?=.)", " " * by, text, flags=re.MULTILINE)


BLOCK = """\
description: |-
  One.
  Two: # no comment
type: object
x:
- "yes"
- 5
"""

# --- block style -----------------------------------------------------------------------------------------------------


@each(
    ("before", "after", "column"),
    [
        # what stands before and after the schema stays, comments and odd blanks too
        (
            (
                "  - name: v1 # one\n    schema:\n      openAPIV3Schema:   # b\n        # c\n        type: object\n"
                "        properties:\n          a: {type: string}\n\n    # next\n    served:   yes\n"
            ),
            (
                "  - name: v1 # one\n    schema:\n      openAPIV3Schema:   # b\n        # c\n        @"
                "\n    # next\n    served:   yes\n"
            ),
            8,
        ),
        # other indentation
        (
            (
                "      -     name: v1\n            schema:\n                 openAPIV3Schema:\n"
                "                   a: 1\n            storage: true\n"
            ),
            (
                "      -     name: v1\n            schema:\n                 openAPIV3Schema:\n                   @"
                "            storage: true\n"
            ),
            19,
        ),
        # it is the last thing in the file, without a line end
        (
            "^\n        type: object",
            "^\n        @",
            8,
        ),
        # comments on what changes and on the last line go with it, those behind the schema stay
        (
            (
                "  - schema:\n      openAPIV3Schema:\n        # first\n        type: string # a\n        x: |\n"
                "          c\n\n          # d\n        # e\n          # f\n      # g\n          # h\n    name: v1\n"
            ),
            "  - schema:\n      openAPIV3Schema:\n        # first\n        @      # g\n          # h\n    name: v1\n",
            8,
        ),
        # it ends in nothing
        (
            "^\n        default:\n\n    served: true\n",
            "^\n        @\n    served: true\n",
            8,
        ),
        # it ends in a list in flow style over several lines
        (
            "^\n        required: [a,\n  b, # c\n  ] # d\n    served: true\n",
            "^\n        @    served: true\n",
            8,
        ),
        # quoted keys
        (
            "  - 'name': \"v1\"\n    \"schema\":\n      'openAPIV3Schema':\n        type: object\n",
            "  - 'name': \"v1\"\n    \"schema\":\n      'openAPIV3Schema':\n        @",
            8,
        ),
        # flow style or nothing where block style can be: it becomes block style
        (
            "^ {type: object}   # c\n    served: true\n",
            "^ # c\n        @    served: true\n",
            8,
        ),
        (
            "^\n        {type:\n    object}   # c\n    served: true\n",
            "^\n        @    served: true\n",
            8,
        ),
        (
            "^\n        # c\n    served: true\n",
            "^\n        @    served: true\n",
            8,
        ),
        (
            "^ ~\n    served: true\n",
            "^\n        @    served: true\n",
            8,
        ),
        # keys that are missing
        (
            "  - name: v1\n    schema: {}\n    served: true\n",
            "^\n        @    served: true\n",
            8,
        ),
        (
            "  - name: v1\n    schema:\n    served: true\n",
            "^\n        @    served: true\n",
            8,
        ),
        (
            "  - name: v1\n    schema: # c\n      other: 1 # d\n    served: true\n",
            "  - name: v1\n    schema: # c\n      openAPIV3Schema:\n        @      other: 1 # d\n    served: true\n",
            8,
        ),
        (
            "  - served: true\n    name: v1 # c\n      # d\n    # e\n    storage: true\n",
            (
                "  - served: true\n    name: v1 # c\n      # d\n    schema:\n      openAPIV3Schema:\n        @"
                "    # e\n    storage: true\n"
            ),
            8,
        ),
        ("  - name: v1", "^\n        @", 8),
    ],
)
def test_blocks(before: str, after: str, column: int) -> None:
    """`^` stands for the usual lines before a schema, `@` for the new one."""
    before, after = (text.replace("^", V1.removesuffix("\n")) for text in (before, after))
    wanted = HEAD + after.replace("@", indented(BLOCK, column).lstrip())
    if not before.endswith("\n"):
        wanted = wanted.removesuffix("\n")
    assert patch(HEAD + before).text == wanted
    crlf = (HEAD + before).replace("\n", "\r\n")
    assert patch(crlf).text == wanted.replace("\n", "\r\n")
    result = patch("\ufeff" + HEAD + before)
    assert result.text == "\ufeff" + wanted


def test_the_same_schema_stays_as_it_is_written() -> None:
    text = HEAD + (
        f"{V1}        # c\n        x: ['yes', 0x5]   # d\n        type: !!str object\n"
        '        description: "One.\\nTwo: # no comment"\n'
    )
    assert patch(text) == Patched(text, [], {KEY})


def test_numbers_and_booleans_are_not_the_same() -> None:
    text = HEAD + "  - name: v1\n    schema:\n      openAPIV3Schema:\n        default: true\n"
    assert "default: 1\n" in patch(text, {KEY: {"v1": {"default": 1}}}).text
    text = text.replace("true", "1")
    assert patch_manifest(text, "a.yaml", {KEY: {"v1": {"default": 1.0}}}, Diagnostics()) == Patched(text, [], {KEY})


# --- flow style ------------------------------------------------------------------------------------------------------

JSON = """\
{
\t"apiVersion": "apiextensions.k8s.io/v1",
\t"kind": "CustomResourceDefinition",
\t"spec": {
\t\t"group": "example.com",
\t\t"names": {"kind": "Robot"},
\t\t"versions": [
\t\t\t{
\t\t\t\t"name": "v1", "served" : true @
\t\t\t}
\t\t]
\t}
}
"""


@each(
    ("before", "after"),
    [
        (', "schema": {"openAPIV3Schema": {"type": "string"}}', ', "schema": {"openAPIV3Schema": {"a": "ä"}}'),
        (', "schema":{"openAPIV3Schema":{}}', ', "schema":{"openAPIV3Schema":{"a":"ä"}}'),
        (', "schema": {}', ', "schema": {"openAPIV3Schema": {"a": "ä"}}'),
        (', "schema": null', ', "schema": {"openAPIV3Schema": {"a": "ä"}}'),
        (', "schema": {"x": 1}', ', "schema": {"openAPIV3Schema": {"a": "ä"}, "x": 1}'),
        (
            ',\n\t\t\t\t"schema": {\n\t\t\t\t\t"openAPIV3Schema": {"type": 1}\n\t\t\t\t}',
            ',\n\t\t\t\t"schema": {\n\t\t\t\t\t"openAPIV3Schema": {\n\t\t\t\t\t\t"a": "ä"\n\t\t\t\t\t}\n\t\t\t\t}',
        ),
    ],
)
def test_json(before: str, after: str) -> None:
    schemas = {KEY: {"v1": {"a": "ä"}}}
    assert patch(JSON.replace("@", before), schemas).text == JSON.replace("@", after)


def test_json_gets_keys_that_are_missing() -> None:
    text = patch(JSON.replace("@", ""), {KEY: {"v1": {"a": "\x7f\u2028"}}}).text
    assert text == JSON.replace("@", "").replace(
        '"v1",',
        '"v1",@"schema": {@\t"openAPIV3Schema": {@\t\t"a": "\\u007f\\u2028"@\t}@},'.replace("@", "\n\t\t\t\t"),
    )
    one_line = re.sub(r"\s", "", JSON.replace("@", ""))
    assert patch(one_line, {KEY: {"v1": {"a": 1}}}).text == one_line.replace(
        '"name":"v1",', '"name":"v1","schema":{"openAPIV3Schema":{"a":1}},'
    )


def test_flow_style_in_yaml() -> None:
    text = HEAD + "  - {name: v1, schema: {openAPIV3Schema: {type: string}}, # c\n     served: true}\n"
    assert patch(text, {KEY: {"v1": {"a": 1}}}).text == text.replace("{type: string}", '{"a": 1}')
    text = HEAD + "  - {name: v1, schema: {openAPIV3Schema: }}\n"
    assert patch(text, {KEY: {"v1": {"a": 1}}}).text == text.replace("Schema: }", 'Schema: {"a": 1}}')


# --- which manifests -------------------------------------------------------------------------------------------------


def test_documents_and_lists() -> None:
    version = "  - name: v1\n    schema:\n      openAPIV3Schema:\n        type: string\n"
    crd = HEAD + version
    item = indented(crd, 2).replace("  # by hand\n  api", "- api")
    bare = re.sub("^  kind.*\n", "", item.replace("apiVersion: apiextensions.k8s.io/v1\n  ", ""), flags=re.MULTILINE)
    text = (
        f"%YAML 1.1\n---\n{crd}---\n# nothing\n---\nkind: Other\nspec: 5\n--- # again\n{crd}...\n---\n"
        f"apiVersion: v1\nkind: List\nitems:\n{item}{item}---\n"
        f"apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinitionList\nitems:\n"
        f"- {bare.lstrip('- ')}"
    )
    result = patch(text.replace("%YAML 1.1\n", ""))
    assert len(result.replaced) == text.count("type: string") == 5
    assert "type: string" not in result.text


@each(
    "text",
    [
        "",
        "kind: CustomResourceDefinition\n",
        HEAD.replace("apiextensions.k8s.io", "example.com"),
        "kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1\n",
        "kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1\nspec: [1]\n",
        HEAD.replace("example.com'", "other.com'") + "  - name: v1\n",
        HEAD.replace("Robot", "Human") + "  - name: v1\n",
        HEAD.replace("Robot", "[1]") + "  - name: v1\n",
        "{{ CustomResourceDefinition }",
    ],
)
def test_other_files_are_left_alone(text: str) -> None:
    diagnostics = Diagnostics()
    malformed = text.startswith("{{")
    assert patch_manifest(text, "a.yaml", SCHEMAS, diagnostics) == Patched(text)
    assert diagnostics.has_errors == malformed


def findings(
    text: str, schemas: Mapping[tuple[str, str], Mapping[str, Any]] = SCHEMAS
) -> list[tuple[str, str, int, int]]:
    diagnostics = Diagnostics()
    result = patch_manifest(text, "a.yaml", schemas, diagnostics)
    assert not diagnostics.has_errors or result.text == text
    assert all(item.span.file == "a.yaml" for item in diagnostics.items)
    return [(item.code, item.message, item.span.line, item.span.column) for item in diagnostics.sorted()]


def test_versions_that_only_one_side_has() -> None:
    text = HEAD + "  - name: v1\n  - name: v1beta1\n    schema:\n      openAPIV3Schema: {a: 1}\n"
    schemas = {KEY: {"v1": NEW, "v2": NEW}}
    assert findings(text, schemas) == [
        ("VG547", "the manifest has no version v2 of Robot, which the sources have", 11, 3),
        ("VG546", "the sources have no version v1beta1 of Robot, so its schema stays as it is", 12, 11),
    ]
    result = patch_manifest(text, "a.yaml", schemas, Diagnostics())
    assert [r.version for r in result.replaced] == ["v1"]
    check(text, result, schemas)


# --- what is refused -------------------------------------------------------------------------------------------------

SHARED = "aliases repeat this elsewhere, so it cannot be replaced"


@each(
    ("versions", "message", "line"),
    [
        (f"{V1}        a: &a {{b: 1}}\n        c: *a\n", SHARED, 14),
        (f"{V1}        a: &a {{b: 1}}\n  - name: v2\n    x: *a\n", SHARED, 14),
        (f"{V1[:-1]} &a\n        a: 1\n  - name: v2\n    schema: {{openAPIV3Schema: *a}}\n", SHARED, 13),
        ("  - name: v2\n    schema: &a {openAPIV3Schema: {}}\n  - name: v1\n    schema: *a\n", SHARED, 12),
        ("  - &a\n    name: v1\n    schema: {}\n  - <<: *a\n    name: v2\n", SHARED, 11),
        (
            "  - name: v2\n    x: &a {schema: {}}\n  - name: v1\n    <<: *a\n",
            "`schema` is not written here but brought by `<<`",
            13,
        ),
        ("  - name: v1\n    schema: 5\n", "`schema` is not an object", 12),
        (f"{V1}      - 1\n", "`openAPIV3Schema` is not an object", 14),
        (f"{V1[:-1]} x\n", "`openAPIV3Schema` is not an object", 13),
        ("    5\n", "`versions` is not a list", 11),
        ("  - v1\n", "the version is not an object", 11),
        ("  - schema: {}\n", "`name` is missing", 11),
        ("  - name: 1\n", "`name` is not a string", 11),
        ("  - name: v1\n    name: v1\n", "the key `name` is there twice", 12),
        ("  - {name: v1, schema}\n", "the schema cannot be replaced in place", 11),
        ("  - [\n", "did not find expected node content", 12),
    ],
)
def test_trouble_has_a_place(versions: str, message: str, line: int) -> None:
    found = findings(HEAD + versions, {KEY: {"v1": NEW, "v2": NEW}})
    assert [(code, text, at) for code, text, at, _ in found if code == "VG545"] == [("VG545", message, line)]


def test_one_problem_keeps_the_whole_file() -> None:
    text = HEAD + V1 + "        a: 1\n---\n" + HEAD + "  - name: v1\n    schema: 5\n"
    assert [code for code, *_ in findings(text)] == ["VG545"]


def test_schemas_of_old_definitions_are_refused() -> None:
    text = (HEAD + "  - name: v1\n").replace("k8s.io/v1", "k8s.io/v1beta1")
    assert findings(text) == [("VG545", "schemas of apiextensions.k8s.io/v1beta1 are not supported", 2, 1)]


@given(st.text(st.sampled_from(list("\n\n\n    -:#{}[]&a*?|'\"~\r\t<\ufeff")), max_size=30), st.integers(0, 400))
def test_it_never_raises_and_never_changes_anything_else(noise: str, place: int) -> None:
    text = HEAD + V1 + "        type: object\n        x:\n        - |\n          text\n    served: true\n"
    text = text[:place] + noise + text[place:]
    diagnostics = Diagnostics()
    result = patch_manifest(text, "a.yaml", SCHEMAS, diagnostics)
    if diagnostics.has_errors:
        assert result.text == text
    elif result.replaced:
        check(text, result, SCHEMAS)


@pytest.mark.parametrize("opening", ["[", "{a: ", "- "])
def test_depth_is_no_trouble(opening: str) -> None:
    text = HEAD + V1 + "        x:\n          " + opening * 900
    assert len(findings(text)) <= 1
    assert findings(HEAD + V1 + "        x: " + "[" * 600 + "]" * 600 + "\n") in (
        [],
        [("VG545", "nested too deeply", 1, 1)],
    )


# --- directories -----------------------------------------------------------------------------------------------------


def test_the_manifests_of_a_directory(tmp_path: Path) -> None:
    old = HEAD + V1 + "        type: string\n"
    for name, text in {
        "b.yaml": old,
        "a.yml": old.replace("\n", "\r\n"),
        "c.json": JSON.replace("@", ""),
        "d.yaml": "kind: Other\n",
        "e.txt": old,
        "below/f.yaml": old,
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(text.encode())
    (tmp_path / "g.yaml").mkdir()
    (tmp_path / "latin.yaml").write_bytes(b"# CustomResourceDefinition \xe4\n")
    (tmp_path / "other.yaml").write_bytes(b"\xe4\n")
    (tmp_path / "wide.yaml").write_bytes(old.encode("utf-16"))
    diagnostics = Diagnostics()
    schemas = {**SCHEMAS, ("example.com", "Human"): {"v1": NEW}}
    changed = patch_files(str(tmp_path), schemas, diagnostics)
    assert changed == {
        f"{tmp_path}/{name}": patch((tmp_path / name).read_bytes().decode()).text
        for name in ("a.yml", "b.yaml", "c.json")
    }
    assert [(item.code, item.message, item.span.file) for item in diagnostics.sorted()] == [
        ("VG547", "no manifest in this directory defines Human of example.com", f"{tmp_path}"),
        ("VG545", "the manifest is not UTF-8", f"{tmp_path}/latin.yaml"),
        ("VG545", "the manifest is not UTF-8", f"{tmp_path}/wide.yaml"),
    ]


@pytest.mark.parametrize("name", ["nowhere", "file", "\0"])
def test_places_that_are_no_directories(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    diagnostics = Diagnostics()
    assert patch_files(f"{tmp_path}/{name}", {}, diagnostics) == {}
    assert [item.code for item in diagnostics.items] == ["VG901"]


# --- manifests of others ---------------------------------------------------------------------------------------------


def _manifests() -> list[Path]:
    tools = os.environ.get("VALIDATION_GEN_CONTROLLER_TOOLS", "")
    gateway = os.environ.get("VALIDATION_GEN_GATEWAY_API", "")
    places = [(tools, "pkg/crd/testdata"), (gateway, "config/crd/standard")]
    return [file for root, below in places if root for file in sorted(Path(root, below).rglob("*.yaml"))]


def test_manifests_of_others_change_nowhere_else() -> None:
    files = _manifests()
    if not files:
        pytest.skip(
            "neither VALIDATION_GEN_CONTROLLER_TOOLS nor VALIDATION_GEN_GATEWAY_API names a checkout with manifests"
        )
    api, count = "apiextensions.k8s.io/v1", 0
    for file in files:
        text = file.read_bytes().decode()
        definitions = [v for v in values(text) if isinstance(v, dict) and v.get("apiVersion") == api]
        if not definitions:
            continue
        schemas = find_schemas(definitions)
        assert patch(text, schemas).replaced == []
        for versions in schemas.values():
            for name, schema in versions.items():
                versions[name] = {**schema, "description": "New.\n\nText.", "zz": {"properties": schema["properties"]}}
        result = patch(text, schemas)
        count += len(result.replaced)
        assert len(result.replaced) == sum(len(versions) for versions in schemas.values())
        if len(text) > 50_000:
            continue
        for form in (json.dumps(values(text)[-1]), json.dumps(values(text)[-1], indent=2), text.replace("\n", "\r\n")):
            assert len(patch(form, schemas).replaced) == len(result.replaced)
    assert count


# --- what stays inside a schema ---------------------------------------------------------------------------------------

_WRAPPED = """\
        description: A robot that is
          longer than a line.   # folded
        properties:
          apiVersion:
            description: Whatever others say of it.
            type: string
          # about the arms
          arms:
              description: |-
                How many arms
                there are.
              maximum: 3  # for now
              type: integer
          legs: {type: integer}
        type:   object
"""


def wrapped(**arms: Any) -> dict[tuple[str, str], dict[str, Any]]:
    """The schema with other lines and blanks, and with more about arms."""
    schema = {
        "description": "A robot that\nis longer than a line.",
        "properties": {
            "apiVersion": {"description": "What we say of it.", "type": "string"},
            "arms": {"description": "How many arms there are.", "maximum": 3, "type": "integer", **arms},
            "legs": {"type": "integer"},
        },
        "type": "object",
    }
    return {KEY: {"v1": schema}}


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_texts_with_the_same_words_stay(newline: str) -> None:
    text = (HEAD + V1 + _WRAPPED).replace("\n", newline)
    diagnostics = Diagnostics()
    assert patch_manifest(text, "a.yaml", wrapped(), diagnostics) == Patched(text, found={KEY})
    assert diagnostics.items == []


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_only_lines_that_say_something_else_change(newline: str) -> None:
    text = (HEAD + V1 + _WRAPPED).replace("\n", newline)
    result = patch_manifest(text, "a.yaml", wrapped(maximum=4, minimum=1), Diagnostics())
    wanted = _WRAPPED.replace("maximum: 3  # for now\n", "maximum: 4\n")
    wanted = wanted.replace("type: integer\n          legs", "type: integer\n              minimum: 1\n          legs")
    assert result.text == (HEAD + V1 + wanted).replace("\n", newline)
    assert len(result.replaced) == 1
    again = patch_manifest(result.text, "a.yaml", wrapped(maximum=4, minimum=1), Diagnostics())
    assert (again.text, again.replaced) == (result.text, [])


def test_other_words_are_another_text() -> None:
    result = patch_manifest(
        HEAD + V1 + _WRAPPED, "a.yaml", wrapped(description="How many legs there are."), Diagnostics()
    )
    assert "description: How many legs there are." in result.text
    assert "is\n          longer than a line.   # folded" in result.text


def test_data_are_no_texts() -> None:
    before = "        default:\n          description: a  b\n        type: object\n"
    schema = {"default": {"description": "a b"}, "type": "object"}
    assert "description: a b\n" in patch(HEAD + V1 + before, {KEY: {"v1": schema}}).text


def test_lines_that_cannot_be_copied_are_written_anew() -> None:
    before = "        x-a: |+\n          text\n\n\n        type: object\n"
    schema = {"type": "object", "x-a": "text\n\n\n", "x-b": 1}
    assert patch(HEAD + V1 + before, {KEY: {"v1": schema}}).text.endswith("x-b: 1\n")
