"""Definitions as types: the text, the way back, what is told to be lost, and what untrusted text cannot do."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

from tests.commands.convert.definitions import converted, defined, emitted, normal, outline, version_schema
from tests.tables import each
from validation_gen.sources.languages import GO, LANGUAGES, Language

EITHER = {"anyOf": [{"type": "integer"}, {"type": "string"}], "x-kubernetes-int-or-string": True}
QUANTITY = (
    r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$"
)
TEXT = {"type": "string"}


def of_spec(**properties: Any) -> dict[str, Any]:
    """The schema of a kind whose spec has some properties."""
    return {"type": "object", "properties": {"spec": {"type": "object", "properties": properties}}}


def test_a_kind_and_the_objects_in_it_are_classes(tmp_path: Path) -> None:
    spec = {
        "type": "object",
        "description": "What is wanted.",
        "required": ["class", "ports"],
        "x-kubernetes-validations": [{"rule": "self.class != 'b'", "message": "no b"}],
        "properties": {
            "class": TEXT | {"enum": ["a", "b"], "description": "The class, which\nis small."},
            "podIPs": {"type": "array", "items": TEXT | {"maxLength": 40}, "x-kubernetes-list-type": "set"},
            "replicas": {"type": "integer", "format": "int32", "default": 3, "minimum": 1},
            "size": EITHER | {"pattern": QUANTITY},
            "template": {"type": "object", "properties": {"labels": {"type": "object", "additionalProperties": TEXT}}},
            "ports": {
                "type": "array",
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["name"],
                "items": {"type": "object", "required": ["name"], "properties": {"name": TEXT}},
            },
        },
    }
    obj = defined({"type": "object", "required": ["spec"], "properties": {"spec": spec}})
    obj["spec"]["names"]["shortNames"] = ["wd"]
    files, losses = converted([obj], tmp_path)
    assert losses == []
    assert set(files) == {"__init__.py", "example_com/__init__.py", "example_com/v1.py"}
    assert (
        files["example_com/v1.py"]
        == '''"""The kinds of example.com in version v1.

+groupName=example.com
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, TypeAlias

from validation_gen.types import Int32
from validation_gen.types.meta import ObjectMeta, Quantity, TypeMeta


# +kubebuilder:resource:shortName=wd
# +kubebuilder:storageversion
@dataclass(kw_only=True)
class Widget(TypeMeta):
    metadata: ObjectMeta = field(default_factory=ObjectMeta)
    spec: WidgetSpec


# +kubebuilder:validation:XValidation:rule="self.class != 'b'",message="no b"
@dataclass(kw_only=True)
class WidgetSpec:
    """What is wanted."""

    # The class, which
    # is small.
    # +kubebuilder:validation:Enum=a;b
    class_: str

    # +listType=set
    pod_ips: list[WidgetSpecPodIPs] | None = None

    # +kubebuilder:validation:Minimum=1
    # +default=3
    replicas: Annotated[int, Int32] | None = None
    size: Quantity | None = None
    template: WidgetSpecTemplate | None = None

    # +listType=map
    # +listMapKey=name
    ports: list[WidgetSpecPorts]


# +kubebuilder:validation:MaxLength=40
WidgetSpecPodIPs: TypeAlias = str


@dataclass(kw_only=True)
class WidgetSpecTemplate:
    labels: dict[str, str] | None = None


@dataclass(kw_only=True)
class WidgetSpecPorts:
    name: str
'''
    )


SCHEMAS: dict[str, dict[str, Any]] = {
    "texts": TEXT | {"minLength": 1, "maxLength": 9, "pattern": '^a`\\d"$', "format": "uuid", "title": "A, b"},
    "a pattern of several lines": TEXT | {"pattern": "a\nb"},
    "enums": TEXT | {"enum": ["", "a b", "true", "1", "{x}", "'y'"], "default": "a b"},
    "enums of numbers": {"type": "integer", "enum": [1, 3]},
    "times": TEXT | {"format": "date-time", "description": "when"},
    "bytes": TEXT | {"format": "byte"},
    "integers": {"type": "integer"},
    "wide integers": {"type": "integer", "format": "int64", "multipleOf": 5, "maximum": 10, "exclusiveMaximum": True},
    "numbers": {"type": "number", "minimum": 1e-07, "maximum": 1.5, "format": "double", "example": 1},
    "truths": {"type": "boolean", "default": False, "nullable": True},
    "either": EITHER
    | {"default": "50%", "x-kubernetes-validations": [{"rule": "self != 0", "reason": "FieldValueInvalid"}]},
    "quantities": {"type": "object", "additionalProperties": EITHER | {"pattern": QUANTITY}},
    "anything": {"x-kubernetes-preserve-unknown-fields": True, "nullable": True},
    "any object": {"type": "object", "x-kubernetes-preserve-unknown-fields": True, "default": {"a": [1]}},
    "embedded": {
        "type": "object",
        "x-kubernetes-embedded-resource": True,
        "x-kubernetes-preserve-unknown-fields": True,
    },
    "open objects": {"type": "object", "x-kubernetes-preserve-unknown-fields": True, "properties": {"a": TEXT}},
    "empty objects": {"type": "object", "nullable": True},
    "atomic objects": {
        "type": "object",
        "x-kubernetes-map-type": "atomic",
        "minProperties": 1,
        "properties": {"a": TEXT},
    },
    "maps": {"type": "object", "maxProperties": 2, "additionalProperties": TEXT | {"maxLength": 3, "nullable": True}},
    "maps of maps": {
        "type": "object",
        "additionalProperties": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}},
    },
    "lists of lists": {
        "type": "array",
        "maxItems": 2,
        "items": {"type": "array", "minItems": 1, "items": {"type": "number", "description": "one"}},
    },
    "times in lists": {"type": "array", "items": TEXT | {"format": "date-time", "description": "when"}},
    "any objects in maps": {
        "type": "object",
        "additionalProperties": {"type": "object", "x-kubernetes-preserve-unknown-fields": True, "description": "one"},
    },
    "objects in lists": {
        "type": "array",
        "description": "all",
        "items": {"type": "object", "description": "one", "nullable": True, "properties": {"a": TEXT}},
    },
    "alternatives": {
        "type": "object",
        "properties": {"a": TEXT, "b": TEXT},
        "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
        "not": {"required": ["a", "b"]},
        "allOf": [{"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}],
    },
    "not this": TEXT | {"not": {"enum": [""]}, "anyOf": [{"maxLength": 4}, {"pattern": "^x"}]},
    "rules": TEXT
    | {
        "maxLength": 9,
        "x-kubernetes-validations": [
            {"rule": "self != '\"\\\\`'\n && self != ''", "messageExpression": "'no ' + self", "message": "no"},
            {"rule": "self == oldSelf.orValue(self)", "optionalOldSelf": True, "message": "a, b; c}"},
        ],
    },
}


EACH_LANGUAGE = each("language", LANGUAGES, ids=lambda language: language.name)


@EACH_LANGUAGE
@each("schema", SCHEMAS.values(), ids=SCHEMAS)
def test_a_schema_comes_back(schema: dict[str, Any], language: Language, tmp_path: Path) -> None:
    root = of_spec(there=schema, optional=schema)
    root["properties"]["spec"]["required"] = ["there"]
    files, losses = converted([defined(root)], tmp_path, language)
    (back,) = emitted(files, tmp_path).values()
    assert losses == []
    assert version_schema(back, "v1") == normal(root, root=True)


def test_all_else_of_a_definition_comes_back(tmp_path: Path) -> None:
    obj = defined(
        of_spec(replicas={"type": "integer"}) | {"description": 'A "widget".'},
        served=False,
        deprecated=True,
        deprecationWarning='use `v2`, "soon"',
        additionalPrinterColumns=[
            {
                "name": "Ready",
                "type": "string",
                "jsonPath": '.status.conditions[?(@.type=="Ready")].status',
                "priority": 1,
            },
            {
                "name": "Age",
                "type": "date",
                "jsonPath": ".metadata.creationTimestamp",
                "description": "how old, in `s`",
            },
        ],
        selectableFields=[{"jsonPath": ".spec.replicas"}],
        subresources={"status": {}, "scale": {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.n"}},
    )
    obj["spec"]["versions"].append(
        {"name": "v2beta1", "served": True, "storage": False, "schema": {"openAPIV3Schema": of_spec(a=TEXT)}}
    )
    obj["spec"] |= {
        "scope": "Cluster",
        "names": {
            "kind": "Widget",
            "plural": "widgetry",
            "singular": "wdg",
            "listKind": "Widgets",
            "shortNames": ["w"],
        },
        "conversion": {
            "strategy": "Webhook",
            "webhook": {
                "clientConfig": {"service": {"namespace": "ns", "name": "hook", "path": "/convert", "port": 8443}},
                "conversionReviewVersions": ["v1", "v1beta1"],
            },
        },
    }
    obj["metadata"] = {"name": "widgetry.example.com", "labels": {"app": "x"}, "annotations": {"a/b": 'c="d",e;f'}}
    files, losses = converted([obj], tmp_path)
    (back,) = emitted(files, tmp_path).values()
    assert losses == []
    assert {"example_com/v1.py", "example_com/v2beta1.py"} <= files.keys()
    assert outline(back) == outline(obj)


@each(
    ("schema", "lost"),
    [
        ({"type": "object", "required": ["a"], "x-kubernetes-preserve-unknown-fields": True}, "`required` of {}.a"),
        ({"type": "object", "required": ["a"], "properties": {"b": TEXT}}, "`required` of {}.a"),
        ({"type": "object", "properties": {"-": TEXT}, "required": ["-"]}, "`properties` of {}.-"),
        ({"type": "object", "properties": {"a,b": TEXT}}, "`properties` of {}.a,b"),
        ({"x-kubernetes-int-or-string": True}, "`anyOf` of {}"),
        ({"type": "object", "additionalProperties": True}, "`additionalProperties` of {}"),
        ({"type": "array", "items": EITHER | {"description": "one"}}, "`description` of {}[*]"),
        ({"type": "array", "items": TEXT, "pattern": "a"}, "`pattern` of {}"),
        ({"type": "integer", "minimum": 0.5}, "`minimum` of {}"),
        ({"type": "integer", "minimum": 2, "maximum": 1}, "`maximum` of {}"),
        (TEXT | {"example": {"a": 1}}, "`example` of {}"),
        (TEXT | {"description": "one\n+k8s:required"}, "`description` of {}"),
        (TEXT | {"description": "one\nvalidation-gen: ignore"}, "`description` of {}"),
        (TEXT | {"description": "a\u202eb"}, "`description` of {}"),
        (
            TEXT | {"x-kubernetes-validations": [{"rule": "self != ''"}, {"rule": "self != ''"}]},
            "`x-kubernetes-validations` of {}",
        ),
    ],
)
def test_what_is_lost_is_told(schema: dict[str, Any], lost: str, tmp_path: Path) -> None:
    root = of_spec(it=schema, other=TEXT)
    files, losses = converted([defined(root)], tmp_path)
    (back,) = emitted(files, tmp_path).values()
    assert f"{lost.format('Widget.spec.it')} cannot be converted" in "\n".join(losses)
    assert version_schema(back, "v1") != normal(root, root=True)


def test_a_kind_of_which_no_class_can_have_the_name_is_told(tmp_path: Path) -> None:
    files, losses = converted([defined(of_spec(a=TEXT), "None", "nones"), defined(of_spec(a=TEXT))], tmp_path)
    assert [text.partition(" cannot")[0] for text in losses] == ["`kind` of None"]
    assert [name for name in emitted(files, tmp_path) if name == "widgets.example.com"]


def test_what_is_lost_of_the_object_itself_is_told(tmp_path: Path) -> None:
    name = {"type": "object", "properties": {"name": TEXT | {"maxLength": 9}}}
    root = {"type": "object", "properties": {"metadata": name, "kind": TEXT | {"enum": ["widget"]}}}
    obj = defined(root, "widget")
    client = {"url": "https://example.com/convert", "caBundle": "YQ=="}
    webhook = {"clientConfig": client, "conversionReviewVersions": ["v1"]}
    obj["spec"]["conversion"] = {"strategy": "Webhook", "webhook": webhook}
    _, losses = converted([obj], tmp_path)
    assert [text.partition(" cannot")[0] for text in losses] == [
        "`caBundle` of widget",
        "`kind` of widget",
        "`enum` of widget.kind",
        "`properties` of widget.metadata.name",
    ]


HOSTILE = (
    '"""\nimport os\n"""',
    '"',
    "\\",
    'ends with \\"',
    "'''",
    "\x00\x1b[31m",
    "a\r\nimport os",
    "a\x0cimport os\u2028import os\x85import os",
    "# coding: utf-7",
    "{import_os}",
)


@each("text", HOSTILE, ids=map(ascii, HOSTILE))
def test_text_of_a_definition_is_never_code(text: str, tmp_path: Path) -> None:
    member: dict[str, Any] = TEXT | {"description": text, "title": text, "enum": [text, "b"], "default": text}
    inner = {"type": "object", "description": text, "properties": {"a": member}}
    root = {"type": "object", "description": text, "properties": {"spec": inner, "class": member, "$a b": member}}
    obj = defined(root)
    obj["metadata"]["annotations"] = {"a": text}
    files, _ = converted([obj], tmp_path)
    module = ast.parse(files["example_com/v1.py"])
    head, future, *others = module.body
    assert isinstance(head, ast.Expr)
    assert isinstance(future, ast.ImportFrom)
    assert {each.module for each in others if isinstance(each, ast.ImportFrom)} <= {
        "dataclasses",
        "typing",
        "validation_gen.types",
        "validation_gen.types.meta",
    }
    classes = [each for each in others if isinstance(each, ast.ClassDef)]
    assert [each.name for each in classes] == ["Widget", "WidgetSpec"]
    assert all(isinstance(each, ast.ClassDef | ast.ImportFrom) for each in others)
    docstring = (ast.Expr, ast.AnnAssign)
    assert all(isinstance(each, docstring) for found in classes for each in found.body)
    (back,) = emitted(files, tmp_path).values()
    found = version_schema(back, "v1")["properties"]["class"]
    assert (found["enum"], found["default"], found["title"]) == ([text, "b"], text, text)
    assert back["metadata"]["annotations"] == {"a": text}


@each("text", HOSTILE, ids=map(ascii, HOSTILE))
def test_text_of_a_definition_stays_text_in_go(text: str, tmp_path: Path) -> None:
    member = TEXT | {"title": text, "enum": [text, "b"], "default": text, "description": text}
    root = {"type": "object", "description": text, "properties": {"class": member, "$a b": member, "$a-b": TEXT}}
    files, _ = converted([defined(root)], tmp_path, GO)
    assert set(files) == {"example.com/v1/doc.go", "example.com/v1/types.go"}
    declared = [line for line in files["example.com/v1/types.go"].splitlines() if not line.lstrip().startswith("//")]
    assert "import os" not in "\n".join(declared)
    (back,) = emitted(files, tmp_path).values()
    found = version_schema(back, "v1")["properties"]
    assert {"class", "$a b", "$a-b"} <= found.keys()
    assert (found["class"]["enum"], found["class"]["default"], found["class"]["title"]) == ([text, "b"], text, text)


def test_go_has_descriptions_above_types(tmp_path: Path) -> None:
    inner = {"type": "object", "description": "TODO: what\nis wanted.", "properties": {"a": TEXT}}
    root = {"type": "object", "description": "Widget is small.", "properties": {"spec": inner}}
    files, losses = converted([defined(root)], tmp_path, GO)
    text = files["example.com/v1/types.go"]
    assert losses == []
    assert "\n// Widget is small.\n// +kubebuilder:storageversion\ntype Widget struct {\n" in text
    assert "\n//  TODO: what\n// is wanted.\ntype WidgetSpec struct {\n" in text


def test_names_that_clash_are_told_apart(tmp_path: Path) -> None:
    inner = {"type": "object", "properties": {"a": TEXT}}
    root = {"type": "object", "properties": {"spec": inner, "Spec": inner, "s-pec": inner, "list": TEXT, "from": TEXT}}
    objects = [defined(root), defined(of_spec(a=TEXT), "WidgetSpec", "widgetspecs"), defined(inner, "Field", "fields")]
    files, losses = converted(objects, tmp_path)
    assert losses == []
    assert converted(objects[::-1], tmp_path)[0] == files
    names = [each.name for each in ast.parse(files["example_com/v1.py"]).body if isinstance(each, ast.ClassDef)]
    assert sorted(names) == sorted(
        ["Field", "Widget", "WidgetSpec", "WidgetSpec2", "WidgetSpec3", "WidgetSPec", "WidgetSpecSpec"]
    )
    back = emitted(files, tmp_path)
    assert version_schema(back["widgets.example.com"], "v1") == normal(root, root=True)


def test_a_kind_that_is_defined_twice_is_refused(tmp_path: Path) -> None:
    files, findings = converted([defined(of_spec(a=TEXT)), defined(of_spec(b=TEXT), plural="others")], tmp_path)
    assert findings == ["Widget in example.com/v1 is defined twice, and a class can be of one definition"]
    assert "others" in files["example_com/v1.py"]
    assert "path=" in files["example_com/v1.py"]


def test_classes_are_as_many_as_objects(tmp_path: Path) -> None:
    """Names grow with the way to an object, and nothing else does: neither deep nor wide schemas are copied."""
    schema: dict[str, Any] = {"type": "object", "properties": {"a": TEXT}}
    for _ in range(40):
        schema = {"type": "object", "properties": {"in": schema}}
    wide = {f"p{number}": {"type": "object", "properties": {"a": TEXT}} for number in range(300)}
    files, losses = converted([defined(of_spec(deep=schema, **wide))], tmp_path)
    module = ast.parse(files["example_com/v1.py"])
    assert losses == []
    assert len([each for each in module.body if isinstance(each, ast.ClassDef)]) == 2 + 41 + 300


def test_what_is_too_deep_is_left_open(tmp_path: Path) -> None:
    schema: dict[str, Any] = TEXT
    for _ in range(70):
        schema = {"type": "object", "properties": {"in": schema}}
    files, losses = converted([defined(of_spec(deep=schema))], tmp_path)
    assert len(losses) == 1
    assert "is more than 60 deep in other values" in losses[0]
    assert emitted(files, tmp_path)
