"""What schemas say of Go types before any rule: forms of types, aliases, pointers, order, descriptions."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
import yaml

from tests.tables import each
from validation_gen.compiler.definitions import build_definitions
from validation_gen.compiler.pipeline import Settings, build_program
from validation_gen.emit.schema import SchemaOptions

_KIND = """
// +groupName=parts.example.com
package {package}

import (
    apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
    metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Part struct {{
    metav1.TypeMeta `json:",inline"`
    metav1.ObjectMeta `json:"metadata"`

    Spec Spec `json:"spec"`
}}

type Spec struct {{
{fields}
}}

type Unused struct {{
    Field apiextensionsv1.JSON `json:"-"`
}}
"""


def definition(directory: Path, fields: str, types: str = "", *, package: str = "v1", most: int | None = None) -> Any:
    """The definition of a kind whose spec has these fields, one in a line."""
    (directory / "go.mod").write_text("module example.com/parts\n", encoding="utf-8")
    (directory / package).mkdir(exist_ok=True)
    text = _KIND.format(package=package, fields=dedent(fields)) + dedent(types)
    (directory / package / "types.go").write_text(text, encoding="utf-8")
    built = build_program(Settings((str(directory),), every_kind=True))
    (made,) = build_definitions(built.program, SchemaOptions(max_description=most), built.diagnostics).values()
    return yaml.safe_load(made)


def spec(directory: Path, fields: str, types: str = "", **options: Any) -> Any:
    version = definition(directory, fields, types, **options)["spec"]["versions"][0]
    return version["schema"]["openAPIV3Schema"]["properties"]["spec"]


def test_numbers(tmp_path: Path) -> None:
    found = spec(tmp_path, 'A float64 `json:"a"`\nB int32 `json:"b"`\nC uint8 `json:"c"`\nD uint64 `json:"d"`')
    assert found["properties"] == {
        "a": {"type": "number"},
        "b": {"type": "integer", "format": "int32"},
        "c": {"type": "integer", "minimum": 0, "maximum": 255},
        "d": {"type": "integer", "minimum": 0},
    }
    assert found["required"] == ["a", "b", "c", "d"]


def test_arrays_are_lists(tmp_path: Path) -> None:
    found = spec(tmp_path, 'A [3]int64 `json:"a"`\nB [4]byte `json:"b"`\nC []byte `json:"c"`')
    assert found["properties"] == {
        "a": {"type": "array", "items": {"type": "integer", "format": "int64"}},
        "b": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 255}},
        "c": {"type": "string", "format": "byte"},
    }


def test_markers_of_aliases_and_of_pointer_types(tmp_path: Path) -> None:
    types = """
    // A short text.
    // +kubebuilder:validation:MaxLength=5
    type Short = string

    // Half of something.
    // +kubebuilder:validation:MultipleOf=2
    type Half *int64

    // +kubebuilder:validation:Minimum=1
    type Whole int64

    type Again *Whole
    """
    fields = 'A Short `json:"a"`\nB []Short `json:"b"`\nC Half `json:"c"`\nD *Half `json:"d"`\nE Again `json:"e"`'
    short = {"type": "string", "maxLength": 5, "description": "A short text."}
    half = {"type": "integer", "format": "int64", "multipleOf": 2, "description": "Half of something."}
    assert spec(tmp_path, fields, types)["properties"] == {
        "a": short,
        "b": {"type": "array", "items": short},
        "c": half,
        "d": half,
        "e": {"type": "integer", "format": "int64", "minimum": 1},
    }


_ANYTHING = {"x-kubernetes-preserve-unknown-fields": True}


@each(
    ("declaration", "methods", "wanted"),
    [
        ("struct { hidden int }", ("UnmarshalText",), {"type": "string"}),
        ("int", ("MarshalText", "UnmarshalText"), {"type": "string"}),
        ("struct { hidden int }", ("UnmarshalText", "UnmarshalJSON"), _ANYTHING),
        ("struct { hidden int }", ("UnmarshalJSON",), _ANYTHING),
        ("int", ("UnmarshalJSON",), {"type": "integer"}),
        ("string", ("UnmarshalJSON",), {"type": "string"}),
        ("[]string", ("UnmarshalJSON", "MarshalJSON"), {"type": "array", "items": {"type": "string"}}),
        ("any", ("UnmarshalJSON",), _ANYTHING),
        ('struct { A bool `json:"a,omitempty"` }', (), {"type": "object", "properties": {"a": {"type": "boolean"}}}),
        (
            'struct { A bool `json:"a,omitempty"` }',
            ("MarshalJSON", "UnmarshalJSON"),
            {"type": "object", "properties": {"a": {"type": "boolean"}}},
        ),
    ],
)
def test_types_that_decode_themselves(
    declaration: str, methods: tuple[str, ...], wanted: dict[str, Any], tmp_path: Path
) -> None:
    types = f"type T {declaration}\n" + "".join(f"func (*T) {method}() error\n" for method in methods)
    assert spec(tmp_path, 'A T `json:"a"`', types)["properties"]["a"] == wanted


def test_a_marker_has_the_last_word_about_a_type_that_decodes_itself(tmp_path: Path) -> None:
    types = """
    // A span of time.
    // +kubebuilder:validation:Type=string
    // +kubebuilder:validation:MinLength=2
    type Span struct {
        Seconds int64 `json:"seconds"`
    }

    func (*Span) UnmarshalJSON([]byte) error

    // +kubebuilder:validation:Type=object
    // +kubebuilder:pruning:PreserveUnknownFields
    type Open struct {
        Known string `json:"known"`
    }

    func (*Open) UnmarshalJSON([]byte) error
    func (Open) MarshalJSON() ([]byte, error)

    // +kubebuilder:validation:Type=object
    type Read struct {
        Known string `json:"known"`
    }

    func (*Read) UnmarshalJSON([]byte) error
    """
    assert spec(tmp_path, 'A Span `json:"a"`\nB Open `json:"b"`\nC Read `json:"c"`', types)["properties"] == {
        "a": {"type": "string", "minLength": 2, "description": "A span of time."},
        "b": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
        "c": {"type": "object", "properties": {"known": {"type": "string"}}, "required": ["known"]},
    }


def test_any_json_is_not_described_by_its_type(tmp_path: Path) -> None:
    assert spec(tmp_path, 'A apiextensionsv1.JSON `json:"a"`')["properties"]["a"] == _ANYTHING


def test_metadata_of_templates(tmp_path: Path) -> None:
    """What people set is kept; the outermost metadata is the API server's own."""
    version = definition(tmp_path, 'Template Template `json:"template"`', _TEMPLATE)["spec"]["versions"][0]
    schema = version["schema"]["openAPIV3Schema"]
    assert schema["properties"]["metadata"] == {"type": "object"}
    assert schema["required"] == ["metadata", "spec"]
    inner = schema["properties"]["spec"]["properties"]["template"]["properties"]["metadata"]
    assert sorted(inner["properties"]) == ["annotations", "finalizers", "labels", "name", "namespace"]


_TEMPLATE = """
type Template struct {
    metav1.ObjectMeta `json:"metadata,omitempty"`
}
"""


def test_rules_of_fields_come_before_those_of_types(tmp_path: Path) -> None:
    types = """
    // +kubebuilder:validation:XValidation:rule="self != 'c'"
    type Inner string

    // +kubebuilder:validation:XValidation:rule="self != 'b'"
    type Outer Inner
    """
    fields = """
    // +kubebuilder:validation:XValidation:rule="self != 'a'"
    A Outer `json:"a"`
    """
    found = spec(tmp_path, fields, types)["properties"]
    assert [rule["rule"] for rule in found["a"]["x-kubernetes-validations"]] == [f"self != '{c}'" for c in "abc"]


def test_what_patches_merge_refuses_no_duplicates(tmp_path: Path) -> None:
    types = """
    type Item struct {
        Name string `json:"name"`
    }
    """
    fields = """
    // +patchStrategy=merge
    // +patchMergeKey=name
    A []Item `json:"a,omitempty"`
    // +patchStrategy=merge
    B []string `json:"b,omitempty"`
    // +patchStrategy=merge
    // +patchMergeKey=name
    // +listType=map
    // +listMapKey=name
    C []Item `json:"c,omitempty"`
    """
    found = spec(tmp_path, fields, types)["properties"]
    assert [key for name in "ab" for key in found[name] if key.startswith("x-")] == []
    assert found["c"]["x-kubernetes-list-type"] == "map"


@each(
    ("text", "most", "cut"),
    [
        ("One. Two. Three.", 20, "One. Two. Three."),
        ("One. Two. Three.", 9, "One. Two."),
        ("One. Two. Three.", 12, "One. Two."),
        ("See k8s.io for more of this", 20, "See k8s.io for more..."),
        ("See k8s.io for more of this", 10, "See..."),
        ("Immeasurable", 5, "Immea..."),
    ],
)
def test_descriptions_are_cut(text: str, most: int, cut: str, tmp_path: Path) -> None:
    found = spec(tmp_path, f'// {text}\nA string `json:"a"`', most=most)
    assert found["properties"]["a"]["description"] == cut


def test_descriptions_can_be_left_out(tmp_path: Path) -> None:
    assert "description" not in str(definition(tmp_path, '// Text.\nA string `json:"a"`', most=0))


def test_the_version_of_a_package_without_one_is_its_name(tmp_path: Path) -> None:
    made = definition(tmp_path, 'A string `json:"a"`', package="parts")
    assert [version["name"] for version in made["spec"]["versions"]] == ["parts"]
    (tmp_path / "parts").rename(tmp_path / "elsewhere")
    built = build_program(Settings((str(tmp_path),), every_kind=True))
    (text,) = build_definitions(built.program, SchemaOptions(), built.diagnostics).values()
    assert [version["name"] for version in yaml.safe_load(text)["spec"]["versions"]] == ["parts"]


def test_versions_stand_by_name(tmp_path: Path) -> None:
    for version in ("v1beta1", "v1alpha1", "v2"):
        (tmp_path / version).mkdir()
        text = _KIND.format(package=version, fields="")
        (tmp_path / version / "types.go").write_text(text, encoding="utf-8")
    versions = definition(tmp_path, "")["spec"]["versions"]
    assert [version["name"] for version in versions] == ["v1", "v1alpha1", "v1beta1", "v2"]
    assert [version["name"] for version in versions if version["storage"]] == ["v2"]


def test_columns_bring_subresources(tmp_path: Path) -> None:
    types = """
    // +kubebuilder:printcolumn:name=A,type=string,JSONPath=`.a`
    type Other struct {
        metav1.TypeMeta `json:",inline"`
        metav1.ObjectMeta `json:"metadata,omitempty"`
    }
    """
    (tmp_path / "go.mod").write_text("module example.com/parts\n", encoding="utf-8")
    (tmp_path / "v1").mkdir()
    text = _KIND.format(package="v1", fields="") + dedent(types)
    (tmp_path / "v1" / "types.go").write_text(text, encoding="utf-8")
    built = build_program(Settings((str(tmp_path),), every_kind=True))
    made = build_definitions(built.program, SchemaOptions(), built.diagnostics)
    other, part = (yaml.safe_load(made[f"parts.example.com_{name}.yaml"]) for name in ("others", "parts"))
    assert other["spec"]["versions"][0]["subresources"] == {}
    assert "subresources" not in part["spec"]["versions"][0]


@pytest.mark.parametrize(
    ("above", "field"),
    [("// +kubebuilder:pruning:PreserveUnknownFields\n", ""), ("", "// +kubebuilder:pruning:PreserveUnknownFields\n")],
)
def test_a_struct_without_fields_that_keeps_unknown_ones_is_an_object(above: str, field: str, tmp_path: Path) -> None:
    types = f'{above}type T struct {{ O map[string]any `json:"-"` }}\nfunc (*T) UnmarshalJSON() error\n'
    found = spec(tmp_path, f'{field}A T `json:"a"`', types)["properties"]["a"]
    assert found == {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    found = spec(tmp_path, f'{field}A []T `json:"a"`', types)["properties"]["a"]
    inner = {"x-kubernetes-preserve-unknown-fields": True} if above else {}
    outer = {"x-kubernetes-preserve-unknown-fields": True} if field else {}
    assert found == {"type": "array", "items": {"type": "object", **inner}, **outer}


@pytest.mark.parametrize("tag", [",inline", ",inline,omitempty", ",omitempty", ""])
def test_a_named_struct_without_a_json_name_is_inlined(tag: str, tmp_path: Path) -> None:
    types = 'type T struct {\n\t// +optional\n\tB string `json:"b"`\n}\n'
    found = spec(tmp_path, f'A *T `json:"{tag}"`', types)
    assert found["properties"] == {"b": {"type": "string"}}
    assert "required" not in found


def test_a_name_that_two_structs_of_an_object_have(tmp_path: Path) -> None:
    """Inlined structs come first, so that the text is theirs; what else either says counts."""
    types = """
    type T struct {
        // +kubebuilder:validation:Enum=a;b
        // +kubebuilder:validation:MaxLength=9
        B string `json:"b"`
        // Theirs.
        C Sub `json:"c,omitempty"`
    }
    type Sub struct {
        // One.
        P string `json:"p"`
    }
    type Sub2 struct {
        // Two.
        P string `json:"p,omitempty"`
        Q bool `json:"q,omitempty"`
    }
    """
    fields = 'T `json:",inline"`\n// Ours.\n// +kubebuilder:validation:MinLength=1\nB string `json:"b,omitempty"`\n'
    fields += '// Ours.\nC Sub2 `json:"c,omitempty"`'
    found = spec(tmp_path, fields, types)
    assert found["required"] == ["b"]
    assert found["properties"] == {
        "b": {"type": "string", "enum": ["a", "b"], "maxLength": 9, "minLength": 1},
        "c": {
            "type": "object",
            "description": "Theirs.",
            "properties": {"p": {"type": "string", "description": "Two."}, "q": {"type": "boolean"}},
            "required": ["p"],
        },
    }
