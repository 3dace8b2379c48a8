"""What a finding says of stored objects is what the generated validators do with them."""

from __future__ import annotations

from typing import Any

from tests.commands.breaking.conftest import Project, api
from tests.tables import each
from validation_gen.compiler.pipeline import build_program, load_validators
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Severity
from validation_gen.runtime.registry import Registry

OTHER = 'Other string `json:"other,omitempty"`\n'
ITEM = 'type Item struct {\n\tName string `json:"name"`\n\tNote string `json:"note,omitempty"`\n}\n'
VALUE = "stored objects that break it stay valid until this value changes"
LIST = "stored objects that break it stay valid until anything in the list around it changes"
EVERY = "not ratcheted: any update of a stored object that breaks it is refused"
MEMBERS = "stored objects that break it stay valid until an update changes which of the members are set"
UPDATES = "stored objects stay valid; updates that change the value are refused"

#: Each: the field, its rule, what is said, a value that breaks the rule, another one; for lists, one where another
#: item has changed.
RULES = [
    ("a text", 'F string `json:"f,omitempty"`', "+k8s:maxLength=2", VALUE, "long", "longer", None),
    ("a number", 'F *int32 `json:"f,omitempty"`', "+k8s:minimum=5", VALUE, 1, 2, None),
    ("a format", 'F string `json:"f,omitempty"`', "+k8s:format=k8s-uuid", VALUE, "a", "b", None),
    ("required", 'F string `json:"f,omitempty"`', "+k8s:required", VALUE, None, None, None),
    ("a list", 'F []string `json:"f,omitempty"`', "+k8s:maxItems=1", VALUE, ["a", "b"], ["a", "c"], None),
    (
        "an item of any list",
        'F []string `json:"f,omitempty"`',
        "+k8s:eachVal=+k8s:maxLength=2",
        LIST,
        ["long", "b"],
        ["longer", "b"],
        ["long", "c"],
    ),
    (
        "an item with a key",
        'F []Item `json:"f,omitempty"`',
        "+k8s:listType=map\n// +k8s:listMapKey=name\n// +k8s:eachVal=+k8s:subfield(note)=+k8s:maxLength=2",
        VALUE,
        [{"name": "a", "note": "long"}, {"name": "b"}],
        [{"name": "a", "note": "longer"}, {"name": "b"}],
        [{"name": "a", "note": "long"}, {"name": "b", "note": "c"}],
    ),
    (
        "a field of an item without a key",
        'F []Item `json:"f,omitempty"`',
        "+k8s:eachVal=+k8s:subfield(note)=+k8s:maxLength=2",
        LIST,
        [{"name": "a", "note": "long"}, {"name": "b"}],
        [{"name": "a", "note": "longer"}, {"name": "b"}],
        [{"name": "a", "note": "long"}, {"name": "b", "note": "c"}],
    ),
    (
        "a value of a map",
        'F map[string]string `json:"f,omitempty"`',
        "+k8s:eachVal=+k8s:maxLength=2",
        VALUE,
        {"a": "long", "b": "b"},
        {"a": "longer", "b": "b"},
        {"a": "long", "b": "c"},
    ),
    (
        "a key",
        'F map[string]string `json:"f,omitempty"`',
        "+k8s:eachKey=+k8s:maxLength=2",
        "stored objects that break it stay valid until its key changes",
        {"long": "a"},
        {"longer": "a"},
        {"long": "b"},
    ),
    ("immutable", 'F string `json:"f,omitempty"`', "+k8s:immutable", UPDATES, "a", "b", None),
    ("monotonic", 'F *int32 `json:"f,omitempty"`', "+k8s:monotonic", UPDATES, 2, 1, None),
]


def _kept(items: list[str]) -> list[str]:
    """The lists of a rule, apart from what makes their items known."""
    return [tag for tag in items if "list" in tag]


def _validators() -> Registry:
    return load_validators(build_program(Settings(("api",))).program)


def _errors(registry: Registry, spec: dict[str, Any], old: dict[str, Any] | None) -> list[str]:
    def whole(spec: dict[str, Any]) -> dict[str, Any]:
        return {
            "apiVersion": "example.com/v1",
            "kind": "Robot",
            "spec": {k: v for k, v in spec.items() if v is not None},
        }

    return [str(e) for e in registry.validate(whole(spec), whole(old) if old is not None else None, raw=True)]


@each(
    ("field", "rule", "says", "stored", "changed", "beside"), [r[1:] for r in RULES], ids=[r[0] for r in RULES], parts=2
)
def test_what_is_said_of_a_rule_is_so(
    project: Project, field: str, rule: str, says: str, stored: Any, changed: Any, beside: Any
) -> None:
    tags = f"// {rule}".split("\n")
    before = "\n".join([*_kept(tags), field, OTHER])
    found = project.compare(api(before, more=ITEM), api("\n".join([*tags, field, OTHER]), more=ITEM))
    (finding,) = (d for d in found.diagnostics.items if d.severity is Severity.ERROR)
    assert finding.notes[-1][0] == says
    registry = _validators()
    old = {"f": stored, "other": "a"}
    assert (not _errors(registry, old, None)) == (says == UPDATES)
    assert not _errors(registry, {**old, "other": "b"}, old)
    if changed is not None:
        assert _errors(registry, {**old, "f": changed}, old)
    if beside is not None:
        assert bool(_errors(registry, {**old, "f": beside}, old)) == (says == LIST)


def test_a_union_looks_at_its_members_only(project: Project) -> None:
    a, b = '*string `json:"a,omitempty"`', '*string `json:"b,omitempty"`'
    member = "// +k8s:optional\n// +k8s:zeroOrOneOfMember\n"
    plain = f"// +k8s:optional\nA {a}\n// +k8s:optional\nB {b}\n{OTHER}"
    found = project.compare(api(plain), api(f"{member}A {a}\n{member}B {b}\n{OTHER}"))
    (finding,) = found.diagnostics.items
    assert (finding.code, finding.notes[-1][0]) == ("VG710", MEMBERS)
    registry = _validators()
    old = {"a": "1", "b": "1"}
    assert _errors(registry, old, None)
    assert not _errors(registry, {"a": "2", "b": "2", "other": "b"}, old)
    assert _errors(registry, old, {"a": "1"})


def test_every_update_looks_at_the_object_as_a_whole(project: Project) -> None:
    never = '// +k8s:validateFalse="no"\n'
    found = project.compare(api(OTHER), api(OTHER, marks=never))
    (finding,) = found.diagnostics.items
    assert (finding.code, finding.notes[-1][0]) == ("VG705", EVERY)
    assert _errors(_validators(), {"other": "a"}, {"other": "a"})


def test_a_rule_in_a_type_inside_a_list_without_keys(project: Project) -> None:
    field = 'F []Item `json:"f,omitempty"`\n' + OTHER
    strict = ITEM.replace("\tNote", "\t// +k8s:maxLength=2\n\tNote")
    found = project.compare(api(field, more=ITEM), api(field, more=strict))
    (finding,) = found.diagnostics.items
    assert finding.notes[-1][0] == LIST
    registry = _validators()
    old = {"f": [{"name": "a", "note": "long"}, {"name": "b"}]}
    assert not _errors(registry, {**old, "other": "a"}, old)
    assert _errors(registry, {"f": [{"name": "a", "note": "long"}, {"name": "c"}]}, old)


def test_definitions_do_not_ratchet_required_fields(project: Project) -> None:
    mark = "// +kubebuilder:object:root=true\n"
    field = 'F string `json:"f,omitempty"`'
    found = project.compare(api(f"// +optional\n{field}", marks=mark), api(f"// +required\n{field}", marks=mark))
    (finding,) = found.diagnostics.items
    assert (finding.code, finding.severity, finding.notes[-1][0]) == ("VG703", Severity.ERROR, EVERY)
