"""JSON Schemas for editors: they stand alone, they show typos, and what is valid they accept."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import jsonschema as library
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.apiserver import ApiServer, Error
from tests.emit.schema.drawn import Drawn
from tests.emit.schema.samples import OPTIONS, program, references, sample
from tests.tables import each
from tests.thorough import drawn
from validation_gen.commands.generate.run import GenerateOptions, generate
from validation_gen.compiler.emitters import JSONSCHEMA
from validation_gen.compiler.pipeline import load_validators
from validation_gen.compiler.settings import Settings
from validation_gen.emit.schema import SchemaMode, SchemaOptions, jsonschema
from validation_gen.emit.schema.jsonschema import as_json
from validation_gen.emit.schema.resources import ResourceEmitter, definitions
from validation_gen.kubernetes.objects.judging import Judge
from validation_gen.kubernetes.yaml import read_documents
from validation_gen.runtime.errors import FieldError

MANIFESTS = Path(__file__).parents[3] / "testdata" / "manifests"
ROBOT = "schemas/robots.example.com/robot_v1.json"


def validator(schema: dict[str, Any]) -> library.Draft7Validator:
    library.Draft7Validator.check_schema(schema)
    return library.Draft7Validator(schema)


def errors(schema: dict[str, Any], value: Any) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in validator(schema).iter_errors(value)]


def subschemas(schema: Any) -> Iterator[dict[str, Any]]:
    """A schema and all below it."""
    if isinstance(schema, dict):
        yield schema
        parts = [*schema.get("properties", {}).values(), schema.get("items"), schema.get("additionalProperties")]
        for part in (*parts, *schema.get("allOf", ()), *schema.get("anyOf", ()), *schema.get("oneOf", ())):
            yield from subschemas(part)


def things(directory: Path, types: str) -> dict[str, Any]:
    (schema,) = jsonschema.SchemaEmitter(program(directory, types), SchemaOptions()).files().values()
    return schema


def thing(**spec: Any) -> dict[str, Any]:
    return {"apiVersion": "things.example.com/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": spec}


@pytest.mark.parametrize("manner", SchemaMode)
def test_schemas_stand_alone(manner: SchemaMode) -> None:
    schemas = jsonschema.SchemaEmitter(sample(), OPTIONS[manner]).files()
    assert sorted(schemas) == [
        "schemas/missions.example.com/mission_v1alpha1.json",
        "schemas/missions.example.com/route_v1alpha1.json",
        "schemas/robots.example.com/robot_v1.json",
        "schemas/robots.example.com/robot_v1beta1.json",
        "schemas/robots.example.com/robotpool_v1.json",
    ]
    for schema in schemas.values():
        validator(schema)
        assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"
        assert references(schema) == set()
        assert next(iter(json.loads(as_json(schema)))) == "$comment"
        vendor = [key for each in subschemas(schema) for key in each if key.startswith("x-")]
        assert vendor == ["x-kubernetes-group-version-kind"]
        assert not [each for each in subschemas(schema) if "nullable" in each]


def test_a_schema_knows_its_kind() -> None:
    schema = jsonschema.SchemaEmitter(sample(), SchemaOptions()).files()[ROBOT]
    assert schema["properties"]["apiVersion"]["enum"] == ["robots.example.com/v1"]
    assert schema["properties"]["kind"]["enum"] == ["Robot"]
    assert {"apiVersion", "kind"} <= set(schema["required"])
    assert schema["x-kubernetes-group-version-kind"] == [
        {"group": "robots.example.com", "kind": "Robot", "version": "v1"}
    ]


def test_metadata_is_spelt_out_with_what_the_kind_demands() -> None:
    metadata = jsonschema.SchemaEmitter(sample(), SchemaOptions()).files()[ROBOT]["properties"]["metadata"]
    assert {"name", "generateName", "labels", "annotations", "finalizers", "ownerReferences"} <= set(
        metadata["properties"]
    )
    assert metadata["additionalProperties"] is False
    assert metadata["properties"]["name"]["pattern"]
    assert metadata["properties"]["creationTimestamp"] == {"format": "date-time", "type": ["string", "null"]}
    assert errors(metadata, {"name": "r2", "labels": {"a": "b"}, "creationTimestamp": None}) == []
    assert errors(metadata, {"name": "Not a name!"})
    assert errors(metadata, {"nmae": "r2"})


@pytest.mark.parametrize("manner", SchemaMode)
def test_objects_with_known_properties_are_closed(manner: SchemaMode) -> None:
    for schema in jsonschema.SchemaEmitter(sample(), OPTIONS[manner]).files().values():
        open_ones = [each for each in subschemas(schema) if "properties" in each and "additionalProperties" not in each]
        assert open_ones == []


# --- objects --------------------------------------------------------------------------------------------------------


def misspelt(value: Any, schema: dict[str, Any]) -> Iterator[Any]:
    """The object with one property misspelt, for each property of each struct in it."""
    if isinstance(value, dict):
        for name, part in value.items():
            if name in schema.get("properties", {}):
                yield {("x" + key if key == name else key): each for key, each in value.items()}
            inner = schema.get("properties", {}).get(name) or schema.get("additionalProperties")
            for wrong in misspelt(part, inner) if isinstance(inner, dict) else ():
                yield {**value, name: wrong}
    elif isinstance(value, list):
        for index, part in enumerate(value):
            for wrong in misspelt(part, schema.get("items", {})):
                yield [*value[:index], wrong, *value[index + 1 :]]


def mended(value: Any, found: Sequence[FieldError | Error]) -> Any:
    """The object without what errors are about; where it is missing, without what it is missing in."""
    value = copy.deepcopy(value)
    for error in found:
        steps = re.findall(r"[^.\[\]]+", error.field)
        while steps and not _delete(value, steps):
            steps.pop()
    return value


def _delete(value: Any, steps: list[str]) -> bool:
    for step in steps[:-1]:
        inner = _inside(value, step)
        if inner is None:
            return False
        value = inner
    if _inside(value, steps[-1]) is None:
        return False
    del value[steps[-1] if isinstance(value, dict) else int(steps[-1])]
    return True


def _inside(value: Any, step: str) -> Any:
    if isinstance(value, list):
        return value[int(step)] if step.isdigit() and int(step) < len(value) else None
    return value.get(step) if isinstance(value, dict) else None


def manifests(name: str) -> list[dict[str, Any]]:
    text = (MANIFESTS / f"valid-{name}.yaml").read_text(encoding="utf-8")
    return [document.value for document in read_documents(text)]


def schema_of(schemas: dict[str, Any], value: dict[str, Any]) -> dict[str, Any]:
    """The schema of an object, where kubeconform and others look for it."""
    group, _, version = value["apiVersion"].partition("/")
    found: dict[str, Any] = schemas[f"schemas/{group}/{value['kind'].lower()}_{version}.json"]
    return found


def type_of(value: dict[str, Any]) -> str:
    """The type of an object."""
    (type,) = {
        root.type
        for package in sample().packages.values()
        for root in package.roots
        if (root.kind, package.api_version) == (value["kind"], value["apiVersion"])
    }
    return type


def valid(seed: dict[str, Any], options: dict[str, bool]) -> Iterator[Any]:
    """Random objects that validators accept, not too far from a good one."""
    registry = load_validators(sample())
    source = Drawn(sample(), random.Random(7))
    for _ in range(drawn(400)):
        value = source.changed(seed, type_of(seed))
        # Validators do not look into this, but API servers want sets to be sets there, too.
        value.get("status", {}).pop("lastAppliedSpec", None)
        for _ in range(5):
            found = registry.validate(value, options=options, raw=True)
            if not found:
                yield value
                break
            value = mended(value, found)


@each("options", [{}, {"RobotSwarming": True, "FlightPermits": True}], ids=["none", "all"])
@each("name", ["mission", "pool", "robot"], parts=3)
def test_what_validators_accept_is_accepted_and_with_a_typo_refused(name: str, options: dict[str, bool]) -> None:
    schemas = jsonschema.SchemaEmitter(sample(), SchemaOptions(SchemaMode.EXACT, options)).files()
    accepted = typos = 0
    for seed in manifests(name):
        schema = schema_of(schemas, seed)
        judge = validator(schema)
        for value in valid(seed, options):
            assert [f"{e.json_path}: {e.message}" for e in judge.iter_errors(value)] == [], value
            accepted += 1
            wrongs = list(misspelt(value, schema))
            for wrong in random.sample(wrongs, drawn(len(wrongs), least=4)):
                assert not judge.is_valid(wrong), wrong
                typos += 1
    assert accepted > 15
    assert typos > 500


@each("manner", SchemaMode)
@each("name", ["mission", "pool", "robot"])
def test_what_the_api_server_accepts_is_accepted(apiserver: ApiServer, name: str, manner: SchemaMode) -> None:
    options = SchemaOptions(manner, {"RobotSwarming": True, "FlightPermits": True})
    emitter = ResourceEmitter(sample(), options)
    crds = {each.versions[-1][1].kind: emitter.definition(each) for each in definitions(sample())}
    (seed,) = manifests(name)
    version = seed["apiVersion"].rpartition("/")[2]
    judge = validator(schema_of(jsonschema.SchemaEmitter(sample(), options).files(), seed))
    source = Drawn(sample(), random.Random(3))
    accepted = 0
    values = [seed, *(source.changed(seed, type_of(seed)) for _ in range(200))]
    for _ in range(5):
        verdicts = apiserver.validate_all(
            crds[seed["kind"]], [(value, None) for value in values], version=version, keep_status=True
        )
        for value, verdict in zip(values, verdicts, strict=True):
            if not verdict.errors and not verdict.unknown:
                accepted += 1
                assert [f"{e.json_path}: {e.message}" for e in judge.iter_errors(value)] == [], value
        values = [
            mended(value, verdict.errors) for value, verdict in zip(values, verdicts, strict=True) if verdict.errors
        ]
    assert accepted > 15


@each("manner", SchemaMode)
@each("name", ["mission", "pool", "robot"])
def test_the_sample_manifests_are_accepted(name: str, manner: SchemaMode) -> None:
    schemas = jsonschema.SchemaEmitter(sample(), OPTIONS[manner]).files()
    for value in manifests(name):
        schema = schema_of(schemas, value)
        assert errors(schema, value) == []
        assert errors(schema, {**value, "sepc": {}})


# --- single types ---------------------------------------------------------------------------------------------------


def test_wire_forms_and_nulls(tmp_path: Path) -> None:
    schema = things(
        tmp_path,
        """
type Spec struct {
	Port intstr.IntOrString   `json:"port,omitempty"`
	Size *resource.Quantity   `json:"size,omitempty"`
	When metav1.Time          `json:"when,omitempty"`
	Raw  runtime.RawExtension `json:"raw,omitempty"`
	// +nullable
	Text *string `json:"text,omitempty"`
	// +nullable
	Either *intstr.IntOrString `json:"either,omitempty"`
	// +listType=set
	Names []string `json:"names,omitempty"`
	Labels map[string]string `json:"labels,omitempty"`
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:ExclusiveMinimum=true
	Above int32 `json:"above,omitempty"`
}
""",
    )
    properties = schema["properties"]["spec"]["properties"]
    either = [{"type": "integer"}, {"type": "string"}, {"type": "null"}]
    assert properties["port"] == {"anyOf": either}
    assert properties["size"]["anyOf"] == either
    assert properties["when"] == {"format": "date-time", "type": ["string", "null"]}
    assert properties["raw"] == {"type": ["object", "null"]}
    assert properties["text"] == {"type": ["string", "null"]}
    assert properties["above"] == {"exclusiveMinimum": 0, "format": "int32", "type": ["integer", "null"]}
    good = thing(port=80, size="1Gi", raw={"any": 1}, text=None, either=None, names=["a"], labels={"any": "b"}, above=1)
    assert errors(schema, good) == []
    refused: list[dict[str, Any]] = [{"port": 1.5}, {"text": 1}, {"above": 0}, {"size": "much"}, {"label": {}}]
    for wrong in (*refused, {"names": ["a", "a"]}):
        assert errors(schema, thing(**wrong)), wrong


def test_what_is_open_stays_open(tmp_path: Path) -> None:
    schema = things(
        tmp_path,
        """
type Spec struct {
	// +kubebuilder:pruning:PreserveUnknownFields
	Open Part `json:"open,omitempty"`
	Tree *Tree `json:"tree,omitempty"`
	Nothing *Nothing `json:"nothing,omitempty"`
}

type Part struct {
	Name string `json:"name,omitempty"`
	Inner Inner `json:"inner,omitempty"`
}

type Inner struct {
	Name string `json:"name,omitempty"`
}

type Tree struct {
	Name string `json:"name,omitempty"`
	Left *Tree `json:"left,omitempty"`
}

type Nothing struct {}
""",
    )
    assert errors(schema, thing(open={"name": "a", "other": 1, "inner": {"name": "b"}})) == []
    assert errors(schema, thing(open={"inner": {"other": 1}}))
    # A type inside itself is spelt out once; below, anything goes.
    assert errors(schema, thing(tree={"name": "a", "left": {"anything": 1}})) == []
    assert errors(schema, thing(tree={"nmae": "a"}))
    assert errors(schema, thing(nothing={})) == []


def test_the_core_group_is_found_under_its_version() -> None:
    (package,) = {p.path: p for p in sample().packages.values() if p.version == "v1beta1"}.values()
    (root,) = [root for root in package.roots if root.kind == "Robot"]
    core = copy.copy(package)
    core.group = ""
    assert jsonschema.file(core, root) == "schemas/v1beta1/robot_v1beta1.json"


@each(
    ("given", "wanted"),
    [
        ({"maximum": 5, "exclusiveMaximum": True}, {"exclusiveMaximum": 5}),
        ({"maximum": 5, "exclusiveMaximum": False}, {"maximum": 5}),
        ({"exclusiveMinimum": True}, {}),
        ({"type": "string", "example": "a", "externalDocs": {"url": "u"}}, {"examples": ["a"], "type": "string"}),
        ({"type": "string", "nullable": True, "enum": ["a"]}, {"enum": ["a"], "type": ["string", "null"]}),
        ({"nullable": True, "x-kubernetes-preserve-unknown-fields": True}, {}),
        (
            {"type": "object", "nullable": True, "oneOf": [{"required": ["a"]}], "not": {"required": ["b"]}},
            {
                "anyOf": [{"oneOf": [{"required": ["a"]}], "not": {"required": ["b"]}}, {"type": "null"}],
                "type": ["object", "null"],
            },
        ),
        (
            {"type": "string", "not": {"pattern": "(?i)x"}, "oneOf": [{"not": {"pattern": "(?i)x"}}, {"maxLength": 1}]},
            {"type": "string"},
        ),
        (
            {"type": "string", "anyOf": [{"pattern": "(?i)x"}, {"maxLength": 1}]},
            {"anyOf": [{}, {"maxLength": 1}], "type": "string"},
        ),
        (
            {"x-kubernetes-int-or-string": True, "nullable": True},
            {"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]},
        ),
        (
            {"x-kubernetes-int-or-string": True, "anyOf": [{"maxLength": 2}, {"minimum": 3}]},
            {
                "allOf": [{"anyOf": [{"type": "integer"}, {"type": "string"}]}],
                "anyOf": [{"maxLength": 2}, {"minimum": 3}],
            },
        ),
        (
            {"type": "object", "x-kubernetes-embedded-resource": True, "properties": {"spec": {"type": "object"}}},
            {
                "additionalProperties": False,
                "properties": {
                    "apiVersion": {"type": "string"},
                    "kind": {"type": "string"},
                    "metadata": {"type": ["object", "null"]},
                    "spec": {"type": ["object", "null"]},
                },
                "required": ["apiVersion", "kind"],
                "type": "object",
            },
        ),
        # Alternatives name some properties of the same object, so they stay open.
        (
            {
                "properties": {"a": {"type": "integer"}},
                "anyOf": [{"properties": {"a": {"maximum": 1}}}],
                "not": {"properties": {"a": {"minimum": 9}}},
            },
            {
                "additionalProperties": False,
                "properties": {"a": {"type": ["integer", "null"]}},
                "anyOf": [{"properties": {"a": {"maximum": 1}}}],
                "not": {"properties": {"a": {"minimum": 9}}},
            },
        ),
        # What a server fills in may be left out, and what it drops may be written.
        (
            {
                "properties": {"a": {"type": "integer", "default": 1}, "b": {"type": "integer"}},
                "required": ["a", "b"],
            },
            {
                "additionalProperties": False,
                "properties": {"a": {"type": ["integer", "null"], "default": 1}, "b": {"type": "integer"}},
                "required": ["b"],
            },
        ),
        (
            {"properties": {"a": {"type": "integer", "default": 1}}, "required": ["a"]},
            {"additionalProperties": False, "properties": {"a": {"type": ["integer", "null"], "default": 1}}},
        ),
        (
            {"additionalProperties": {"items": {"type": "string"}, "type": "array"}},
            {"additionalProperties": {"items": {"type": "string"}, "type": ["array", "null"]}},
        ),
        # So it is in alternatives, where a null is nothing that is there.
        (
            {
                "properties": {"a": {"default": 1}, "b": {}, "c": {"nullable": True}},
                "anyOf": [{"required": ["a"]}, {"required": ["b", "c"]}, {"properties": {"b": {"enum": [1]}}}],
            },
            {
                "additionalProperties": False,
                "properties": {"a": {"default": 1}, "b": {}, "c": {}},
                "anyOf": [
                    {},
                    {"properties": {"b": {"not": {"type": "null"}}}, "required": ["b", "c"]},
                    {"properties": {"b": {"enum": [1, None]}}},
                ],
            },
        ),
    ],
)
def test_a_schema_in_the_words_of_json_schema(given: dict[str, Any], wanted: dict[str, Any]) -> None:
    before = copy.deepcopy(given)
    assert jsonschema.standalone(given) == wanted
    assert given == before
    validator(wanted)


_NAMES = st.sampled_from(["a", "b", "x-kubernetes-validations", "nullable"])
_SCHEMAS = st.recursive(
    st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["string", "integer", "boolean"]),
            "nullable": st.booleans(),
            "minimum": st.integers(-5, 5),
            "exclusiveMinimum": st.booleans(),
            "enum": st.lists(st.integers(0, 3), min_size=1, unique=True),
            "default": st.integers(),
        },
    ),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["object", "array"]),
            "nullable": st.booleans(),
            "x-kubernetes-preserve-unknown-fields": st.booleans(),
            "x-kubernetes-int-or-string": st.booleans(),
            "x-kubernetes-embedded-resource": st.booleans(),
            "x-kubernetes-list-type": st.sampled_from(["set", "atomic"]),
            "properties": st.dictionaries(_NAMES, inner),
            "items": inner,
            "additionalProperties": inner | st.booleans(),
            "anyOf": st.lists(inner, min_size=1),
            "not": inner,
        },
    ),
)


@given(_SCHEMAS)
def test_any_schema_can_be_converted(schema: dict[str, Any]) -> None:
    validator(jsonschema.standalone(schema))


# --- from definitions -------------------------------------------------------------------------------------------------


def from_definitions(directory: Path, *definitions: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The schemas that are made of definitions, by path, and what is told of them."""
    (directory / "crds.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": definitions}))
    made = generate(Settings((), definitions=(str(directory / "crds.json"),)), GenerateOptions((JSONSCHEMA,)))
    files = {path: json.loads(text) for path, text in made.outputs[JSONSCHEMA.name].items()}
    return files, [f"{finding.code} {finding.message}" for finding in made.findings]


def definition(spec: dict[str, Any]) -> dict[str, Any]:
    version = {
        "name": "v1",
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}},
    }
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.things.example.com"},
        "spec": {
            "group": "things.example.com",
            "scope": "Namespaced",
            "names": {"plural": "things", "kind": "Thing"},
            "versions": [version],
        },
    }


def test_definitions_give_the_schemas_of_their_sources(tmp_path: Path) -> None:
    emitter = ResourceEmitter(sample(), SchemaOptions())
    made, told = from_definitions(tmp_path, *(emitter.definition(each) for each in definitions(sample())))
    declared = {
        path: json.loads(as_json(schema))
        for path, schema in jsonschema.SchemaEmitter(sample(), SchemaOptions()).files().items()
    }
    assert sorted(made) == sorted(declared)
    assert not [each for each in told if "VG509" not in each]
    # Of metadata inside an object a definition names what people set, and a server drops the rest.
    for schemas in (made, declared):
        template = schemas["schemas/robots.example.com/robotpool_v1.json"]["properties"]["spec"]["properties"]
        assert template["template"]["properties"].pop("metadata")
    assert made == declared


def test_of_definitions_only_what_a_server_knows_counts(tmp_path: Path) -> None:
    spec = {
        "type": "object",
        "nullable": None,
        "additionalProperties": None,
        "properties": {
            "age": {"type": "integer", "minimum": 1, "exclusiveMinimum": True, "const": 7, "example": None},
            "any": {"x-kubernetes-preserve-unknown-fields": True, "properties": None},
        },
    }
    made, told = from_definitions(tmp_path, definition(spec))
    assert [each for each in told if "const" not in each] == []
    schema = made["schemas/things.example.com/thing_v1.json"]
    assert errors(schema, thing(age=2, any={"b": [1]})) == []
    assert errors(schema, thing(age=1)) == ["$.spec.age: 1 is less than or equal to the minimum of 1"]
    assert errors(schema, thing(ages=2)) == [
        "$.spec: Additional properties are not allowed ('ages' was unexpected)",
    ]
    assert errors(schema, {**thing(), "kind": "Other"}) == ["$.kind: 'Other' is not one of ['Thing']"]
    assert errors(schema, {**thing(), "metadata": {"name": 1}}) == [
        "$.metadata.name: 1 is not of type 'string', 'null'"
    ]


@each(
    "pattern",
    [
        "(?i)^a$",
        "^[[:alpha:]]+$",
        "^[^][]*$",
        r"^\pL+$",
        r"\Aa\z",
        "(?P<name>a)",
        r"\Qa.b\E",
        r"^\x{41}$",
        r"\\\z",
        r"\012",
    ],
)
def test_patterns_that_only_go_reads_are_left_out_and_told(tmp_path: Path, pattern: str) -> None:
    made, told = from_definitions(tmp_path, definition({"type": "string", "maxLength": 9, "pattern": pattern}))
    assert made["schemas/things.example.com/thing_v1.json"]["properties"]["spec"] == {
        "maxLength": 9,
        "type": ["string", "null"],
    }
    assert told == [f"VG540 the pattern `{pattern}` is in the syntax of Go alone; the schema goes without"]


@pytest.mark.parametrize("pattern", [r"^[a-z](?:[.]\d)?[\.]?[\[\]]$", r"^\\z$", "", r"a{1,2}?|\bb|[^a-z]"])
def test_other_patterns_stay(tmp_path: Path, pattern: str) -> None:
    made, told = from_definitions(tmp_path, definition({"type": "string", "pattern": pattern}))
    assert made["schemas/things.example.com/thing_v1.json"]["properties"]["spec"]["pattern"] == pattern
    assert told == []


@each(
    ("pattern", "wanted"),
    [
        (r"^a\@b\_\"\-\ \'$", "^a@b_\"- '$"),
        (r"^[\@\_\-\"\]\^]\/\.$", r'^[@_\-"\]\^]\/\.$'),
        (r"^a}]{$", r"^a\}\]\{$"),
        (r"a{,2}{b}x{01}", r"a\{,2\}\{b\}x\{01\}"),
        (r"a{1\,2}", r"a\{1,2\}"),
        (r"[{}a{1,2}]{2}[^}]{2,}\{\}", r"[{}a{1,2}]{2}[^}]{2,}\{\}"),
        (r"^[\w-.]+[\d-]\d-[\w\-.]$", r"^[\w\-.]+[\d-]\d-[\w\-.]$"),
        (r"^*a\b?b[^*]${1,2}", r"(?:^)*a(?:\b)?b[^*](?:$){1,2}"),
        (r"\\@\\\@", r"\\@\\@"),
    ],
)
def test_patterns_are_written_as_unicode_patterns_of_javascript(tmp_path: Path, pattern: str, wanted: str) -> None:
    made, told = from_definitions(tmp_path, definition({"type": "string", "pattern": pattern}))
    assert made["schemas/things.example.com/thing_v1.json"]["properties"]["spec"]["pattern"] == wanted
    assert told == []


def test_metadata_of_embedded_objects_is_open() -> None:
    metadata = {"type": "object", "properties": {"name": {"type": "string", "maxLength": 3}}}
    schema = {"type": "object", "x-kubernetes-embedded-resource": True, "properties": {"metadata": metadata}}
    found = jsonschema.standalone(schema)["properties"]["metadata"]
    assert found == {
        "type": ["object", "null"],
        "properties": {"name": {"type": ["string", "null"], "maxLength": 3}},
    }


def _drawn_schema(draw: random.Random, depth: int) -> dict[str, Any]:
    """Draws a structural schema with defaults, nulls and alternatives."""
    kind = draw.choice(["string", "integer", "object", "array", "map"] if depth else ["string", "integer"])
    schema: dict[str, Any] = {"type": kind if kind != "map" else "object"}
    if kind == "string":
        schema |= draw.choice([{}, {"enum": ["a", "b"]}, {"minLength": 1}])
    elif kind == "integer":
        schema |= draw.choice([{}, {"minimum": 1}])
    elif kind == "array":
        schema["items"] = _drawn_schema(draw, depth - 1)
    elif kind == "map":
        schema["additionalProperties"] = _drawn_schema(draw, depth - 1)
    else:
        schema["properties"] = {name: _drawn_schema(draw, depth - 1) for name in draw.sample("abc", draw.randint(1, 3))}
        names = sorted(schema["properties"])
        if draw.random() < 0.5:
            schema["required"] = draw.sample(names, draw.randint(1, len(names)))
        for name in names:
            if schema["properties"][name]["type"] in ("string", "integer") and draw.random() < 0.3:
                schema["properties"][name]["default"] = "a" if schema["properties"][name]["type"] == "string" else 1
        if draw.random() < 0.4:
            part: dict[str, Any] = {"required": [draw.choice(names)]}
            schema |= draw.choice([{"anyOf": [part, {"required": [draw.choice(names)]}]}, {"not": part}])
            schema |= draw.choice([{}, {"oneOf": [part, {"required": [draw.choice(names)]}]}])
    if draw.random() < 0.2:
        schema["nullable"] = True
    return schema


def _drawn_value(draw: random.Random, schema: dict[str, Any]) -> Any:
    """Draws a value that is nearly right: with nulls, and without some properties."""
    if draw.random() < 0.2:
        return None
    if schema["type"] == "string":
        return draw.choice(["a", "b", ""])
    if schema["type"] == "integer":
        return draw.choice([0, 1, 2])
    if schema["type"] == "array":
        return [_drawn_value(draw, schema["items"]) for _ in range(draw.randint(0, 2))]
    if "additionalProperties" in schema:
        return {name: _drawn_value(draw, schema["additionalProperties"]) for name in draw.sample("xy", 1)}
    chosen = [name for name in schema["properties"] if draw.random() < 0.7]
    return {name: _drawn_value(draw, schema["properties"][name]) for name in chosen}


@each("seed", range(drawn(8)))
def test_what_a_person_may_write_is_what_a_server_takes(seed: int) -> None:
    """Nulls and missing properties are refused where a server refuses them, and nowhere else."""
    draw = random.Random(seed)
    refused = 0
    for _ in range(60):
        spec = _drawn_schema(draw, 3)
        raw = {"type": "object", "properties": {"spec": spec}}
        judge, check = Judge(raw), validator(jsonschema.standalone(raw))
        for _ in range(10):
            value = {"spec": _drawn_value(draw, spec)}
            wanted = not judge(copy.deepcopy(value))
            assert check.is_valid(value) == wanted, (spec, value, judge(copy.deepcopy(value)))
            refused += not wanted
    assert refused


def test_a_status_that_servers_drop_demands_nothing(tmp_path: Path) -> None:
    kind = """
// +kubebuilder:object:root=true{marker}
type {name} struct {{
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status Status `json:"status"`
}}
"""
    types = """
type Spec struct{}

type Status struct {
	// +kubebuilder:validation:MinItems=1
	Parts []Part `json:"parts"`
	// +kubebuilder:validation:Enum=a;b
	Phase string `json:"phase"`
}

type Part struct {
	Name string `json:"name"`
}
"""
    types += kind.format(name="Plain", marker="")
    types += kind.format(name="Served", marker="\n// +kubebuilder:subresource:status")
    schemas = jsonschema.SchemaEmitter(program(tmp_path, types), SchemaOptions()).files()
    for name, found in ("served", [0, 0, 0, 0, 2]), ("plain", [1, 2, 2, 1, 2]):
        bare = {"apiVersion": "things.example.com/v1", "kind": name.title(), "metadata": {"name": "a"}}
        statuses: list[Any] = [{}, {"parts": []}, {"parts": [{}], "phase": "a"}, {"phase": 1}]
        objects = [bare, *({**bare, "status": status} for status in statuses)]
        schema = schemas[f"schemas/things.example.com/{name}_v1.json"]
        assert [min(len(errors(schema, obj)), 2) for obj in objects] == found
