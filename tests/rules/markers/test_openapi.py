"""Markers of openapi-gen."""

from __future__ import annotations

from tests.rules.markers.sources import read_field, read_type
from tests.tables import each
from validation_gen.ir import SchemaNotes, Validation

K = "+k8s:validation:"


@each(
    ("markers", "type", "keywords"),
    [
        (f"{K}maximum=100.0", "int", {"maximum": 100}),
        (f"{K}minimum=1.5", "float64", {"minimum": 1.5}),
        (f"{K}exclusiveMaximum", "int", {"exclusiveMaximum": True}),
        (f"{K}exclusiveMinimum=false", "int", {}),
        (f"{K}multipleOf=5", "int", {"multipleOf": 5}),
        (f"{K}maxLength=5", "string", {"maxLength": 5}),
        (f'{K}pattern="^a$"', "string", {"pattern": "^a$"}),
        (f"{K}pattern>^a, b$", "string", {"pattern": "^a, b$"}),
        (f'{K}format="uuid"', "string", {"format": "uuid"}),
        (f'{K}enum=["a", "b"]', "string", {"enum": ["a", "b"]}),
        (f"{K}maxItems=5\n{K}uniqueItems", "[]string", {"maxItems": 5, "uniqueItems": True}),
        (f"{K}minProperties=1", "map[string]string", {"minProperties": 1}),
        (f"{K}nullable", "*string", {"nullable": True}),
        (f"{K}maxLength=ref(Max)", "string", {}),
    ],
)
def test_keywords(markers: str, type: str, keywords: dict[str, object]) -> None:
    notes, read = read_field(markers, type)
    assert notes.keywords == keywords
    assert read.found == []


def test_parts_of_a_value() -> None:
    notes, read = read_field(f'{K}items:maxLength=5\n{K}items:pattern="a"', "[]string")
    assert notes.items == SchemaNotes(
        keywords={"maxLength": 5, "pattern": "a"}, spans=notes.items.spans if notes.items else {}
    )
    assert read.found == []
    notes, read = read_field(f"{K}additionalProperties:items:maximum=5", "map[string][]int")
    assert notes.values is not None
    assert notes.values.items is not None
    assert notes.values.items.keywords == {"maximum": 5}
    assert read.found == []
    notes, _, read = read_type(f"{K}properties:a:maxLength=5", 'struct {\n\tA string `json:"a"`\n}')
    assert notes.properties["a"].keywords == {"maxLength": 5}
    assert read.found == []


def test_rules() -> None:
    notes, read = read_field(
        f"""
        {K}cel[0]:rule="self.size() > 1"
        {K}cel[0]:message="longer"
        {K}cel[1]:rule>self.startsWith('a')
        {K}cel[1]:rule>|| self.startsWith('b')
        {K}cel[1]:messageExpression>'not ' + self
        {K}cel[1]:optionalOldSelf
        {K}cel[1]:reason="FieldValueForbidden"
        {K}cel[1]:fieldPath=".a"
        {K}cel[2]:rule="true"
        {K}cel[2]:message="m"
        {K}maxLength=9
        """
    )
    assert notes.validations == [
        Validation("self.size() > 1", "longer"),
        Validation(
            "self.startsWith('a')\n|| self.startsWith('b')",
            message_expression="'not ' + self",
            reason="FieldValueForbidden",
            field_path=".a",
            optional_old_self=True,
        ),
        Validation("true", "m"),
    ]
    assert notes.keywords == {"maxLength": 9}
    assert read.found == []


@each(
    ("markers", "type", "found", "help"),
    [
        (f"{K}maxLenght=5", "string", "VG521 unknown marker +k8s:validation:maxLenght", f"did you mean {K}maxLength?"),
        (f"{K}zzz=5", "string", "VG521 unknown marker +k8s:validation:zzz", "it has no effect"),
        (
            f"{K}item:maxLength=5",
            "[]string",
            "VG521 unknown marker +k8s:validation:item:maxLength",
            f"did you mean {K}items:maxLength?",
        ),
        (
            f"{K}cel[0]:rul=5",
            "string",
            "VG521 unknown marker +k8s:validation:cel[0]:rul",
            f"did you mean {K}cel[0]:rule?",
        ),
        (f"{K}maxLength = 5", "string", "VG520 +k8s:validation:maxLength: the line cannot be read", None),
        (
            f"{K}maxLength=a",
            "string",
            "VG524 +k8s:validation:maxLength: the value is not JSON",
            'if it is text, quote it: "a"',
        ),
        (f'{K}maxLength="5"', "string", "VG524 +k8s:validation:maxLength: the value is not an integer", ""),
        (f"{K}maxLength=true", "string", "VG524 +k8s:validation:maxLength: the value is not an integer", ""),
        (f"{K}maxLength=-5", "string", "VG524 +k8s:validation:maxLength: -5 is below zero, and this is a size", ""),
        (
            f"{K}maxLength=5",
            "[]string",
            "VG525 +k8s:validation:maxLength: this is for strings, and the value is a list",
            f"write {K}items:maxLength for the items, or {K}maxItems for the list",
        ),
        (
            f"{K}items:maxLength=5",
            "string",
            "VG525 +k8s:validation:items:maxLength: items are for lists, and the value is a string",
            "",
        ),
        (f"{K}properties=5", "map[string]int", "VG521 unknown marker +k8s:validation:properties", None),
        (f'{K}cel[0]:message="a"', "string", "VG523 +k8s:validation:cel[0]: the rule is missing", "add cel[…]:rule"),
        (f'{K}cel[0]:rule="a"', "string", "VG523 +k8s:validation:cel[0]: the message is missing", "add cel[…]:message"),
        (
            f'{K}cel[1]:rule="a"\n{K}cel[1]:message="a"',
            "string",
            "VG526 +k8s:validation:cel[1]: there is a rule 1, and none with the number 0",
            "number rules from 0",
        ),
        (
            f'{K}cel[0]:rule="a"\n{K}cel[0]:message="a"\n{K}cel[0]:reason="FieldValueWrong"',
            "string",
            'VG524 +k8s:validation:cel[0]: "FieldValueWrong" is no reason',
            None,
        ),
        (
            f"{K}maxLength=5\n+kubebuilder:validation:MaxLength=6",
            "string",
            "VG526 +k8s:validation:maxLength says something else than +kubebuilder:validation:MaxLength in line 5",
            None,
        ),
    ],
)
def test_what_is_wrong_is_told(markers: str, type: str, found: str, help: str | None) -> None:
    _, read = read_field(markers, type)
    assert read.found == [found]
    assert help in (None, read.diagnostics[0].help)
