"""What markers say of schemas, and what is refused."""

from __future__ import annotations

import pytest

from tests.rules.markers.sources import read_field, read_text, read_type
from tests.tables import each
from validation_gen.ir import Validation

V = "+kubebuilder:validation:"
LIST = "[]string"
MAP = "map[string]string"
STRUCT = 'struct{\n\tA string `json:"a,omitempty"`\n\tB *string `json:"b,omitempty"`\n}'


@each(
    ("markers", "type", "keywords"),
    [
        (f"{V}Maximum=100", "int32", {"maximum": 100}),
        (f"{V}Minimum=-1.5", "float64", {"minimum": -1.5}),
        (f"{V}Minimum:=0", "*int", {"minimum": 0}),
        (f"{V}ExclusiveMaximum=true", "int", {"exclusiveMaximum": True}),
        (f"{V}ExclusiveMinimum=false", "int", {}),
        (f"{V}UniqueItems=false", LIST, {}),
        (f"{V}items:ExclusiveMaximum=false", "[]int", {}),
        (f"{V}MultipleOf=5", "int64", {"multipleOf": 5}),
        (f"{V}MultipleOf=1", "int64", {"multipleOf": 1}),
        (f"{V}MaxLength=5", "string", {"maxLength": 5}),
        (f"{V}MinLength=1", "[]byte", {"minLength": 1}),
        (f"{V}Pattern=`^[a-z]+$`", "*string", {"pattern": "^[a-z]+$"}),
        (f"{V}MaxItems=5", LIST, {"maxItems": 5}),
        (f"{V}MinItems=1", LIST, {"minItems": 1}),
        (f"{V}UniqueItems=true", LIST, {"uniqueItems": True}),
        (f"{V}MaxProperties=5", MAP, {"maxProperties": 5}),
        (f"{V}MinProperties=1", MAP, {"minProperties": 1}),
        (f"{V}Enum=a;b", "string", {"enum": ["a", "b"]}),
        (f"{V}Enum={{1,2}}", "int", {"enum": [1, 2]}),
        (f"{V}Format=date-time", "string", {"format": "date-time"}),
        (f"{V}Type=string", "[]byte", {"type": "string"}),
        (f"{V}Type=string\n{V}MaxLength=4", "int", {"type": "string", "maxLength": 4}),
        (f"{V}MaxLength=4\n{V}Type=string", "int", {"type": "string", "maxLength": 4}),
        (f"{V}XPreserveUnknownFields", MAP, {"x-kubernetes-preserve-unknown-fields": True}),
        ("+kubebuilder:pruning:PreserveUnknownFields", MAP, {"x-kubernetes-preserve-unknown-fields": True}),
        (f"{V}XEmbeddedResource", MAP, {"x-kubernetes-embedded-resource": True}),
        (f"{V}EmbeddedResource", MAP, {"x-kubernetes-embedded-resource": True}),
        (f"{V}MaxLength=4\n{V}XIntOrString", "int", {"x-kubernetes-int-or-string": True, "maxLength": 4}),
        (f"{V}Schemaless\n{V}Type=string\n{V}MaxLength=4", LIST, {"type": "string", "maxLength": 4}),
        ("+nullable", "*string", {"nullable": True}),
        ('+default="x"', "string", {"default": "x"}),
        ('+default={"a": [1.0]}', "map[string][]int", {"default": {"a": [1]}}),
        ("+default=ref(Other)", "string", {}),
        ("+default=null", "string", {}),
        ("+kubebuilder:default=x", "string", {"default": "x"}),
        ("+kubebuilder:default={}", LIST, {"default": []}),
        ("+kubebuilder:default={}", MAP, {"default": {}}),
        ("+kubebuilder:default={a,b}", LIST, {"default": ["a", "b"]}),
        ('+default="y"\n+kubebuilder:default="x"', "string", {"default": "x"}),
        ('+kubebuilder:default="x"\n+default="y"', "string", {"default": "x"}),
        ("+kubebuilder:example=3", "int", {"example": 3}),
        ('+kubebuilder:title="Hello, world"', "string", {"title": "Hello, world"}),
        (
            '+kubebuilder:externalDocs:url="https://example.com",description="more"',
            "string",
            {"externalDocs": {"url": "https://example.com", "description": "more"}},
        ),
        ('+validation-gen:validation:not={"enum":[""]}', "string", {"not": {"enum": [""]}}),
        ('+validation-gen:validation:oneOf=[{"maxLength":1},{}]', "string", {"oneOf": [{"maxLength": 1}, {}]}),
        ("+listType=set", LIST, {"x-kubernetes-list-type": "set"}),
        (
            "+listMapKey=a\n+listMapKey=b\n+listType=map",
            "[]T",
            {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a", "b"]},
        ),
        (
            "+k8s:listType=map\n+k8s:listMapKey=a",
            "[]T",
            {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"]},
        ),
        ('+k8s:listType="atomic"', LIST, {"x-kubernetes-list-type": "atomic"}),
        ("+mapType=atomic", MAP, {"x-kubernetes-map-type": "atomic"}),
        ("+structType=granular", "*T", {"x-kubernetes-map-type": "granular"}),
        (
            "+patchStrategy=merge,retainKeys\n+patchMergeKey=a",
            "[]T",
            {
                "x-kubernetes-patch-merge-key": "a",
                "x-kubernetes-patch-strategy": "merge,retainKeys",
            },
        ),
        ("+patchStrategy=merge", LIST, {"x-kubernetes-patch-strategy": "merge"}),
        ("+patchStrategy=replace", LIST, {"x-kubernetes-patch-strategy": "replace"}),
        (
            "+listType=atomic\n+patchStrategy=merge\n+patchMergeKey=a",
            "[]T",
            {
                "x-kubernetes-list-type": "atomic",
                "x-kubernetes-patch-merge-key": "a",
                "x-kubernetes-patch-strategy": "merge",
            },
        ),
    ],
)
def test_a_field_has_keywords(markers: str, type: str, keywords: dict[str, object]) -> None:
    notes, read = read_field(markers, type)
    assert notes.keywords == keywords
    assert notes.keywords.keys() <= notes.spans.keys()
    assert read.found == []


@each(
    ("markers", "type", "keywords"),
    [
        (f"{V}MaxLength=5\n{V}Pattern=a", "string", {"maxLength": 5, "pattern": "a"}),
        (f"{V}MinProperties=1\n+structType=atomic", STRUCT, {"minProperties": 1, "x-kubernetes-map-type": "atomic"}),
        (f"{V}Type=object", "[]byte", {"type": "object"}),
        ("+kubebuilder:title=T", "string", {"title": "T"}),
        ('+default="x"', "string", {"default": "x"}),
        ('+validation-gen:validation:allOf=[{"required":["a"]}]', STRUCT, {"allOf": [{"required": ["a"]}]}),
    ],
)
def test_a_type_has_keywords(markers: str, type: str, keywords: dict[str, object]) -> None:
    notes, _, read = read_type(markers, type)
    assert notes.keywords == keywords
    assert read.found == []


def test_items_have_keywords() -> None:
    items = f"{V}items:"
    markers = f'{items}MaxLength=5\n{items}XIntOrString\n{items}XValidation:rule="self > 1"\n{items}Enum=1;a'
    notes, read = read_field(markers, "[]int")
    assert notes.keywords == {}
    assert notes.items is not None
    assert notes.items.keywords == {"x-kubernetes-int-or-string": True, "maxLength": 5, "enum": [1, "a"]}
    assert notes.items.validations == [Validation("self > 1")]
    assert read.found == []


def test_schemaless_is_noted() -> None:
    notes, _ = read_field(f"{V}Schemaless")
    assert notes.schemaless


@each(
    ("markers", "presence"),
    [
        ("", ""),
        ("+optional", "optional"),
        ("+required", "required"),
        ("+k8s:optional", "optional"),
        ("+k8s:required", "required"),
        (f"{V}Optional", "optional"),
        (f"{V}Required", "required"),
    ],
)
def test_presence(markers: str, presence: str) -> None:
    notes, read = read_field(markers)
    assert notes.presence == presence
    assert read.found == []


def test_of_two_presences_kubebuilders_counts() -> None:
    notes, read = read_field(f"+optional\n{V}Required")
    assert notes.presence == "required"
    assert read.found == [
        "VG526 +optional contradicts +kubebuilder:validation:Required in line 5, which counts",
    ]
    notes, read = read_field("+k8s:optional\n+k8s:required")
    assert (notes.presence, read.found) == ("optional", [])  # the rules of those tags report it


def test_rules_keep_their_order_and_parts() -> None:
    notes, read = read_field(
        f"""
        {V}XValidation:rule="self > 1",message="more, please",reason=FieldValueForbidden,fieldPath=".a"
        {V}XValidation:messageExpression="'not ' + string(self)",optionalOldSelf=true,rule="self < 5"
        """,
        "int",
    )
    assert notes.validations == [
        Validation("self > 1", "more, please", reason="FieldValueForbidden", field_path=".a"),
        Validation("self < 5", message_expression="'not ' + string(self)", optional_old_self=True),
    ]
    assert [rule.span.line for rule in notes.validations if rule.span] == [4, 5]
    assert read.found == []


def test_groups_of_fields_are_rules() -> None:
    notes, _, read = read_type(f"{V}ExactlyOneOf=a;b\n{V}AtLeastOneOf=a;b\n{V}AtMostOneOf=b", STRUCT)
    either = "[has(self.a),has(self.b)].filter(x,x==true).size()"
    assert notes.validations == [
        Validation("[has(self.b)].filter(x,x==true).size() <= 1", "at most one of the fields in [b] may be set"),
        Validation(f"{either} == 1", "exactly one of the fields in [a b] must be set"),
        Validation(f"{either} >= 1", "at least one of the fields in [a b] must be set"),
    ]
    assert read.found == []


def test_what_the_type_says_of_its_form_holds_for_its_fields() -> None:
    more = f"// {V}Type=string\ntype Url struct{{}}\n// {V}XIntOrString\ntype Percent int\n"
    notes, read = read_field(f"{V}MaxLength=5\n+kubebuilder:default=x", "Url", more)
    assert (notes.keywords, read.found) == ({"maxLength": 5, "default": "x"}, [])
    notes, read = read_field(f'{V}Pattern="^[0-9]+%$"', "*Percent", more)
    assert (notes.keywords, read.found) == ({"pattern": "^[0-9]+%$"}, [])


def test_well_known_types() -> None:
    found = read_text(
        """
        import (
            metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
            "k8s.io/apimachinery/pkg/api/resource"
            "k8s.io/apimachinery/pkg/util/intstr"
            "k8s.io/apimachinery/pkg/runtime"
        )

        type T struct {
            // +kubebuilder:validation:Format=date-time
            // +kubebuilder:default="2020-01-01T00:00:00Z"
            A metav1.Time `json:"a"`
            // +kubebuilder:validation:Pattern=`^[0-9]+s$`
            // +kubebuilder:default="5s"
            B *metav1.Duration `json:"b"`
            // +kubebuilder:default="1Gi"
            // +kubebuilder:example=1
            C resource.Quantity `json:"c"`
            // +kubebuilder:validation:XIntOrString
            // +kubebuilder:validation:Enum=1;"50%"
            D intstr.IntOrString `json:"d"`
            // +kubebuilder:default={a: {b: 1}}
            E runtime.RawExtension `json:"e"`
        }
        """
    )
    assert found.found == []


# --- what is wrong ---------------------------------------------------------------------------------------------------


@each(
    ("marker", "type", "found", "help"),
    [
        # misfits
        (
            f"{V}MaxLength=5",
            LIST,
            "VG525 +kubebuilder:validation:MaxLength: this is for strings, and the value is a list",
            f"write {V}items:MaxLength for the items, or {V}MaxItems for the list",
        ),
        (
            f"{V}MaxLength=5",
            "[]int",
            "VG525 +kubebuilder:validation:MaxLength: this is for strings, and the value is a list",
            f"write {V}MaxItems for the list",
        ),
        (
            f"{V}MaxLength=5",
            "int32",
            "VG525 +kubebuilder:validation:MaxLength: this is for strings, and the value is an integer",
            f"write {V}Maximum for the number",
        ),
        (
            f"{V}MinItems=5",
            "string",
            "VG525 +kubebuilder:validation:MinItems: this is for lists, and the value is a string",
            f"write {V}MinLength for the string",
        ),
        (
            f"{V}MaxItems=5",
            MAP,
            "VG525 +kubebuilder:validation:MaxItems: this is for lists, and the value is an object",
            f"write {V}MaxProperties for the object",
        ),
        (
            f"{V}Pattern=a",
            "T",
            "VG525 +kubebuilder:validation:Pattern: this is for strings, and the value is an object",
            f"if its JSON form is a string, add {V}Type=string",
        ),
        (
            f"{V}Minimum=5",
            "string",
            "VG525 +kubebuilder:validation:Minimum: this is for numbers, and the value is a string",
            "",
        ),
        (
            f"{V}items:MaxLength=5",
            "string",
            "VG525 +kubebuilder:validation:items:MaxLength: this is for the items of lists, and the value is a string",
            f"write {V}MaxLength",
        ),
        (
            f"{V}items:Maximum=5",
            LIST,
            "VG525 +kubebuilder:validation:items:Maximum: this is for numbers, and the value is a string",
            "",
        ),
        (
            "+listType=set",
            MAP,
            "VG525 +listType: this is for lists, and the value is an object",
            "write +mapType or +structType",
        ),
        (
            "+mapType=atomic",
            LIST,
            "VG525 +mapType: this is for maps and structs, and the value is a list",
            "write +listType=atomic",
        ),
        ("+patchMergeKey=a", "string", "VG525 +patchMergeKey: this is for lists, and the value is a string", ""),
        # values
        (
            f"{V}MaxLength=-1",
            "string",
            "VG524 +kubebuilder:validation:MaxLength: -1 is below zero, and this is a size",
            "",
        ),
        (
            f"{V}Maximum=1.5",
            "int",
            "VG524 +kubebuilder:validation:Maximum: 1.5 is not an integer, and the value is one",
            "",
        ),
        (f"{V}MultipleOf=0", "int", "VG524 +kubebuilder:validation:MultipleOf: 0 is not above zero", ""),
        (
            f"{V}Pattern=`(?=a)`",
            "string",
            ("VG524 +kubebuilder:validation:Pattern: error parsing regexp: invalid or unsupported Perl syntax: `(?=`"),
            "the API server takes regular expressions in the syntax of Go (https://pkg.go.dev/regexp/syntax)",
        ),
        (
            f"{V}Type=strng",
            "string",
            'VG524 +kubebuilder:validation:Type: "strng" is no type of JSON',
            "did you mean string?",
        ),
        (
            f"{V}Enum=a;1",
            "string",
            "VG524 +kubebuilder:validation:Enum: the value is a string, which can never be 1",
            'write it as text: "1"',
        ),
        (
            f"{V}Enum=a;b",
            LIST,
            "VG524 +kubebuilder:validation:Enum: the value is a list, which can never be a",
            f"{V}items:Enum is about the items",
        ),
        (
            f"{V}Enum='a'",
            "string",
            "VG524 +kubebuilder:validation:Enum: the single quotes are a part of the text",
            'write "a"',
        ),
        (
            "+kubebuilder:default=5",
            "string",
            "VG524 +kubebuilder:default: the default does not fit: 5 is an integer, and this is a string",
            'write it as text: "5"',
        ),
        (
            "+kubebuilder:default={a,b}",
            "[]int",
            'VG524 +kubebuilder:default: the default does not fit: "a" is a string, and this is an integer',
            "write a list, such as +kubebuilder:default={}",
        ),
        (
            "+kubebuilder:example=abc",
            "int",
            'VG524 +kubebuilder:example: the example does not fit: "abc" is a string, and this is an integer',
            "write an integer, such as +kubebuilder:example=1",
        ),
        ("+default=x", "string", "VG524 +default: the value is not JSON", 'if it is text, quote it: "x"'),
        (
            "+default=[1]",
            MAP,
            "VG524 +default: the default does not fit: [1] is a list, and this is an object",
            "write an object, such as +default={}",
        ),
        ("+kubebuilder:title=5", "string", "VG524 +kubebuilder:title: the title is not a string", 'quote it: "5"'),
        (
            '+kubebuilder:externalDocs:url="example"',
            "string",
            'VG524 +kubebuilder:externalDocs: "example" is no URL',
            "write all of it: https://…",
        ),
        ("+listType=maps", LIST, 'VG524 +listType: "maps" is no value of it', "did you mean map?"),
        ("+listType=list", LIST, 'VG524 +listType: "list" is no value of it', "it is one of map, set, atomic"),
        ("+patchStrategy=merg", LIST, 'VG524 +patchStrategy: "merg" is no strategy', "did you mean merge?"),
        (
            f'{V}XValidation:rule="a",reason=FieldInvalid',
            "string",
            'VG524 +kubebuilder:validation:XValidation: "FieldInvalid" is no value of it',
            "did you mean FieldValueInvalid?",
        ),
        (
            f'{V}XValidation:rule="a",fieldPath="a"',
            "string",
            'VG524 +kubebuilder:validation:XValidation: the path "a" does not begin with a dot',
            "write .a",
        ),
        (f'{V}XValidation:rule=" "', "string", "VG524 +kubebuilder:validation:XValidation: the rule is empty", ""),
        # arguments and syntax
        (
            f'{V}XValidation:message="a"',
            "string",
            'VG523 +kubebuilder:validation:XValidation: the argument "rule" is missing',
            f'for example: {V}XValidation:rule="self.min <= self.max",message="min must not be above max"',
        ),
        (
            f"{V}MaxLength",
            "string",
            "VG523 +kubebuilder:validation:MaxLength: a value is missing",
            f"for example: {V}MaxLength=63",
        ),
        ("+optional=true", "string", "VG523 +optional: this marker takes no value", "write +optional alone"),
        (
            "+optional, as said above",
            "string",
            "VG520 +optional: the line has no effect, as only '=' can follow the name",
            "write +optional alone on its line",
        ),
        (
            f"{V}MaxLength=many",
            "string",
            "VG520 +kubebuilder:validation:MaxLength: 'many' is here where an integer is expected",
            f"for example: {V}MaxLength=63",
        ),
        # names and places
        (
            f"{V}MaxLenght=5",
            "string",
            "VG521 unknown marker +kubebuilder:validation:MaxLenght",
            f"did you mean {V}MaxLength?",
        ),
        (
            f"{V}maxLength=5",
            "string",
            "VG521 unknown marker +kubebuilder:validation:maxLength",
            f"did you mean {V}MaxLength?",
        ),
        (
            f"{V}items:MaxLen=5",
            LIST,
            "VG521 unknown marker +kubebuilder:validation:items:MaxLen",
            f"did you mean {V}items:MaxLength?",
        ),
        (f"{V}nullable", "string", "VG521 unknown marker +kubebuilder:validation:nullable", "did you mean +nullable?"),
        (
            "+validation-gen:validation:oneof=[{}]",
            "string",
            "VG521 unknown marker +validation-gen:validation:oneof",
            "did you mean +validation-gen:validation:oneOf?",
        ),
        (
            "+validation-gen:validation:anyOf=[1]",
            "string",
            "VG524 +validation-gen:validation:anyOf: the value is not a list of schemas",
            'for example: +validation-gen:validation:anyOf=[{"required":["battery"]}]',
        ),
        (
            "+validation-gen:validation:not=[{}]",
            "string",
            "VG524 +validation-gen:validation:not: the value is not a schema",
            'for example: +validation-gen:validation:not={"required":["tether"]}',
        ),
        ("+kubebuilder:oneOf:=a;b", "T", "VG521 unknown marker +kubebuilder:oneOf", "it has no effect"),
        (f"{V}zzzzzz", "string", "VG521 unknown marker +kubebuilder:validation:zzzzzz", "it has no effect"),
        (
            "+kubebuider:default=x",
            "string",
            "VG521 unknown marker +kubebuider:default",
            "did you mean +kubebuilder:default?",
        ),
        (
            "+kubebuilder:defaults=x",
            "string",
            "VG521 unknown marker +kubebuilder:defaults",
            "did you mean +kubebuilder:default?",
        ),
        ("+optionl", "string", "VG521 unknown marker +optionl", "did you mean +optional?"),
        ("+listtype=set", LIST, "VG521 unknown marker +listtype", "did you mean +listType?"),
        (
            "+kubebuilder:resource:path=x",
            "string",
            "VG522 +kubebuilder:resource has no effect on struct fields",
            "it can stand on type definitions",
        ),
        ("+groupName=x", "string", "VG522 +groupName has no effect on struct fields", "it can stand on packages"),
        # contradictions
        (
            f"{V}Format=a\n{V}Format=b",
            "string",
            "VG526 +kubebuilder:validation:Format says something else than +kubebuilder:validation:Format in line 4",
            "keep one of them; only the last one counts",
        ),
        (
            f"{V}MinLength=5\n{V}MaxLength=4",
            "string",
            "VG526 +kubebuilder:validation:MaxLength leaves no value above 5, which line 4 asks for",
            "raise the one or lower the other",
        ),
        (
            f"{V}Minimum=5\n{V}Maximum=5\n{V}ExclusiveMaximum=true",
            "int",
            "VG526 +kubebuilder:validation:Maximum leaves no value above 5, which line 4 asks for",
            "raise the one or lower the other",
        ),
        (
            "+listMapKey=a",
            "[]T",
            "VG526 +listMapKey: the list is not a map",
            "add +listType=map; other lists have no keys",
        ),
        ("+listType=map\n+listMapKey=a\n+listMapKey=a", "[]T", 'VG526 +listMapKey: "a" is a key already', ""),
        (
            "+listType=map\n+listMapKey=a\n+listMapKey=nmae",
            "[]T",
            'VG525 +listMapKey: the items have no field "nmae"',
            "did you mean name?",
        ),
        (
            "+listType=map",
            "[]T",
            "VG526 +listType=map without +listMapKey",
            "name the field that tells items apart: +listMapKey=name",
        ),
    ],
)
def test_what_is_wrong_is_told(marker: str, type: str, found: str, help: str) -> None:
    _, read = read_field(marker, type)
    assert read.found == [found]
    assert read.diagnostics[0].help == help
    assert read.diagnostics[0].message.startswith("field example.com/v1.T.f: ")
    assert read.diagnostics[0].span.line >= 4


@pytest.mark.parametrize(
    ("marker", "found", "help"),
    [
        ("+optional", "VG522 +optional has no effect on type definitions", "it can stand on struct fields"),
        (
            f"{V}Required",
            "VG522 +kubebuilder:validation:Required has no effect on type definitions",
            "it can stand on packages and struct fields",
        ),
        (
            f"{V}ExactlyOneOf=a;c",
            'VG524 +kubebuilder:validation:ExactlyOneOf: "c" is not a field of this struct',
            "its fields are a, b",
        ),
        (
            f"{V}ExactlyOneOf=a.b",
            'VG524 +kubebuilder:validation:ExactlyOneOf: "a.b" is not a field of this struct',
            "put the marker on the struct that has the field",
        ),
    ],
)
def test_what_is_wrong_on_a_type_is_told(marker: str, found: str, help: str) -> None:
    _, _, read = read_type(marker, STRUCT)
    assert read.found == [found]
    assert read.diagnostics[0].help == help


def test_a_group_has_no_required_field() -> None:
    read = read_text(
        """
        // +kubebuilder:validation:AtMostOneOf=a;b
        type T struct {
            // +required
            A string `json:"a"`
            // +required
            // +kubebuilder:validation:Optional
            B string `json:"b"`
        }
        """
    )
    assert [found for found in read.found if "AtMostOneOf" in found] == [
        'VG526 +kubebuilder:validation:AtMostOneOf: "a" is always set, as it is required'
    ]


def test_the_fault_is_marked() -> None:
    _, read = read_field(f'{V}XValidation:rule="a",reson=b')
    (found,) = read.diagnostics
    line = f'\t// {V}XValidation:rule="a",reson=b'
    assert line[found.span.column - 1 : found.span.end_column - 1] == "reson"


@each(
    "line",
    [
        "+kubebuilder:rbac:groups=a,resources=b,verbs=get",
        "+kubebuilder:webhook:path=/a",
        "+kubebuilder:object:generate=false",
        "+kubebuilder:docs-gen:collapse=X",
        "+kubebuilder:scaffold:imports",
        "+kubebuilder:ac:generate=true",
        "+kubebuilder:experimental:thing",
        "+k8s:deepcopy-gen=true",
        "+k8s:openapi-gen=true",
        "+k8s:maxLength=5",
        "+k8s:optional # as ever",
        "+genclient",
        "+genclient:onlyVerbs=get",
        "+protobuf=true",
        "+union",
        "+enum",
        "+featureGate=A",
        "+gateway:util:exclude",
        "+",
        "+1",
        "see +optional above",
    ],
)
def test_what_belongs_to_others_is_passed_over(line: str) -> None:
    notes, read = read_field(line)
    assert notes.keywords == {}
    assert read.found == []


def test_markers_above_a_line_are_those_of_what_begins_it() -> None:
    found = read_text(
        """
        // +kubebuilder:validation:MinProperties=1
        type T struct { A string `json:"a"`; B int `json:"b"` }

        type U struct {
            // +kubebuilder:validation:MaxLength=3
            C string `json:"c"`; D int `json:"d"`
        }
        """
    )
    assert found.found == []
    assert found.types["T"].keywords == {"minProperties": 1}
    assert {name: notes.keywords for name, notes in found.fields.items() if notes.keywords} == {"U.c": {"maxLength": 3}}


def test_markers_in_block_comments_are_text() -> None:
    found = read_text(
        """
        /*
        T is a struct.
        +kubebuilder:validation:MinProperties=1
        */
        type T struct {
            /* +optional */
            A []string `json:"a"`

            /*
              +k8s:listType=set
              +kubebuilder:unknown
            */
            // +kubebuilder:validation:MaxItems=4
            B []string `json:"b"`
        }
        """
    )
    assert found.types["T"].keywords == {}
    assert found.types["T"].doc == "T is a struct.\n+kubebuilder:validation:MinProperties=1"
    assert found.fields["T.a"].presence == ""
    assert found.fields["T.b"].keywords == {"x-kubernetes-list-type": "set", "maxItems": 4}
    assert found.found == [
        "VG522 +kubebuilder:validation:MinProperties has no effect in a block comment",
        "VG522 +optional has no effect in a block comment",
    ]


def test_of_contradictions_about_presence_controller_gens_first_counts() -> None:
    notes, read = read_field("+optional\n+kubebuilder:validation:Required")
    assert notes.presence == "required"
    assert [finding.code for finding in read.diagnostics] == ["VG526"]


def test_types_without_json_names_are_not_judged_by_them() -> None:
    types = """
    type T struct {
        // +listType=map
        // +listMapKey=type
        L []Item
    }

    type Item struct {
        Type string
    }
    """
    assert read_text(types).found == []
    named = read_text(types.replace("Type string", 'Kind string `json:"kind"`'))
    assert 'VG525 +listMapKey: the items have no field "type"' in named.found
