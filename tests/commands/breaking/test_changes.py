"""What is a change, which one it is, and how bad."""

from __future__ import annotations

import pytest

from tests.commands.breaking.conftest import Project, api, said
from tests.tables import each
from validation_gen.diagnostics import Severity

NAME = 'Name string `json:"name,omitempty"`'
COUNT = 'Count *int32 `json:"count,omitempty"`'
COLORS = "// +k8s:enum\ntype Color string\n\nconst (\n{}\n)\n"
RED, BLUE = '\tRed Color = "Red"', '\tBlue Color = "Blue"'
COLOR = 'Color Color `json:"color,omitempty"`'
MODE = 'Mode string `json:"mode"`'
IN_X, IN_Y = '+k8s:ifMode("X")=', '+k8s:ifMode("Y")='
ITEM = 'type Item struct {\n\tName string `json:"name"`\n\tKey string `json:"key"`\n}\n'
ITEMS = 'Items []Item `json:"items,omitempty"`'


def tagged(field: str, *tags: str) -> str:
    return "\n".join([*(f"// {tag}" for tag in tags), field])


def _limit(name: str, low: int, high: int, field: str, *, upper: bool) -> list[tuple[str, str, str, list[str]]]:
    tag, json = f"+k8s:{name}", field.split('"')[1].partition(",")[0]
    few, many = tagged(field, f"{tag}={low}"), tagged(field, f"{tag}={high}")
    tight, loose = (few, many) if upper else (many, few)
    least, most = (low, high) if upper else (high, low)
    return [
        (f"{name} tightened", loose, tight, [f"error VG705 {json}: {name} is {least}, it was {most}"]),
        (f"{name} loosened", tight, loose, [f"info VG706 {json}: {name} is {most}, it was {least}"]),
        (f"{name} new", field, tight, [f"error VG705 {json}: {name}={least} is new"]),
        (f"{name} gone", tight, field, [f"info VG706 {json}: {name}={least} is gone"]),
    ]


OPTIONAL = "+k8s:optional"
LIMITS = [
    *_limit("maxLength", 5, 10, NAME, upper=True),
    *_limit("minLength", 1, 2, NAME, upper=False),
    *_limit("maxBytes", 5, 10, NAME, upper=True),
    *_limit("maximum", 5, 10, COUNT, upper=True),
    *_limit("minimum", 5, 10, COUNT, upper=False),
    *_limit("maxItems", 5, 10, ITEMS, upper=True),
    *_limit("minItems", 1, 2, ITEMS, upper=False),
    *_limit("maximum", 2**63 - 2, 2**63 - 1, 'Size *int64 `json:"size,omitempty"`', upper=True),
]

#: Each: what happens, the fields before and after, what is said of it.
FIELDS = [
    *LIMITS,
    ("nothing", tagged(NAME, "+k8s:maxLength=5"), tagged(NAME, "+k8s:maxLength=5"), []),
    ("a comment", NAME, tagged(NAME, "Name is how it is called."), []),
    (
        "a marker becomes a tag",
        tagged(NAME, "+kubebuilder:validation:MaxLength=5"),
        tagged(NAME, "+k8s:maxLength=5"),
        [],
    ),
    ("the Go name", NAME, 'Title string `json:"name,omitempty"`', []),
    ("removed", f"{NAME}\n{COUNT}", NAME, ["error VG702 count: the field is gone"]),
    (
        "renamed",
        'NickName string `json:"nickName,omitempty"`',
        'NickName string `json:"nickname,omitempty"`',
        [
            "error VG702 nickName: the field is gone; `nickname` looks like its new name",
            "info VG715 nickname: the field is new",
        ],
    ),
    ("added", NAME, f"{NAME}\n{COUNT}", ["info VG715 count: the field is new"]),
    (
        "added and required",
        NAME,
        f"{NAME}\n{tagged(COUNT, '+k8s:required')}",
        ["error VG703 count: the field is new and must be set"],
    ),
    (
        "added, required, with a default",
        NAME,
        f"{NAME}\n{tagged(COUNT, '+k8s:required', '+default=1')}",
        ["info VG715 count: the field is new"],
    ),
    (
        "required",
        tagged(NAME, OPTIONAL),
        tagged(NAME, "+k8s:required"),
        ["error VG703 name: the field must be set, it was optional"],
    ),
    (
        "required by a marker that nothing enforces",
        tagged(NAME, "+optional"),
        tagged(NAME, "+required"),
        ["warning VG703 name: the field must be set, it was optional"],
    ),
    (
        "required while an option is on",
        tagged(NAME, OPTIONAL),
        tagged(NAME, "+k8s:ifEnabled(Strict)=+k8s:required"),
        ["warning VG703 name: the field must be set while Strict is on, it was optional"],
    ),
    ("required on trial", NAME, tagged(NAME, '+k8s:alpha(since: "1.36")=+k8s:required'), []),
    (
        "required in a mode that had it optional",
        f"{tagged(MODE, '+k8s:modeDiscriminator')}\n{tagged(COUNT, IN_X + OPTIONAL)}",
        f"{tagged(MODE, '+k8s:modeDiscriminator')}\n{tagged(COUNT, IN_X + '+k8s:required')}",
        ['error VG703 count: the field must be set while mode is "X", it was optional'],
    ),
    (
        "required in one more mode",
        f"{tagged(MODE, '+k8s:modeDiscriminator')}\n{tagged(COUNT, IN_X + '+k8s:required', IN_Y + OPTIONAL)}",
        f"{tagged(MODE, '+k8s:modeDiscriminator')}\n{tagged(COUNT, IN_X + '+k8s:required', IN_Y + '+k8s:required')}",
        ['error VG703 count: the field must be set while mode is "Y", it was optional'],
    ),
    (
        "new, and required in a mode",
        tagged(MODE, "+k8s:modeDiscriminator"),
        f"{tagged(MODE, '+k8s:modeDiscriminator')}\n{tagged(COUNT, IN_X + '+k8s:required')}",
        ['warning VG703 count: the field is new and must be set while mode is "X"'],
    ),
    (
        "required, before always and now under an option",
        tagged(COUNT, "+k8s:required"),
        tagged(COUNT, "+k8s:ifEnabled(Strict)=+k8s:required"),
        ["warning VG714 count: the field may be absent, it had to be set"],
    ),
    (
        "optional",
        tagged(NAME, "+k8s:required"),
        tagged(NAME, OPTIONAL),
        ["warning VG714 name: the field may be absent, it had to be set"],
    ),
    (
        "required, and zero counts no more",
        tagged(COUNT, "+k8s:required"),
        tagged('Count int32 `json:"count,omitempty"`', "+k8s:required"),
        [
            "error VG703 count: the field must be set, and its zero value does not count as set any more",
            "warning VG714 count: the value cannot be absent any more: an explicit zero value and none are the same",
        ],
    ),
    ("narrower", 'N int64 `json:"n"`', 'N int32 `json:"n"`', ["error VG704 n: the type is int32, it was int64"]),
    ("wider", 'N int32 `json:"n"`', 'N int64 `json:"n"`', ["warning VG704 n: the type is int64, it was int32"]),
    ("as wide", 'N int `json:"n"`', 'N int64 `json:"n"`', []),
    ("another type", 'N string `json:"n"`', 'N int32 `json:"n"`', ["error VG704 n: the type is int32, it was string"]),
    ("a list", 'N string `json:"n"`', 'N []string `json:"n"`', ["error VG704 n: the type is list, it was string"]),
    (
        "other items",
        'N []string `json:"n"`',
        'N []bool `json:"n"`',
        ["error VG704 n[*]: the type is boolean, it was string"],
    ),
    (
        "other values",
        'N map[string]string `json:"n"`',
        'N map[string]int32 `json:"n"`',
        ["error VG704 n[*]: the type is int32, it was string"],
    ),
    ("time", 'N string `json:"n"`', 'N metav1.Time `json:"n"`', ["error VG704 n: the type is time, it was string"]),
    (
        "a pointer",
        'N int32 `json:"n"`',
        'N *int32 `json:"n"`',
        [
            "warning VG714 n: the value may be absent, which clients of the older type cannot tell from its zero value",
        ],
    ),
    (
        "immutable",
        tagged(NAME, OPTIONAL),
        tagged(NAME, OPTIONAL, "+k8s:immutable"),
        ["error VG711 name: immutable is new"],
    ),
    (
        "mutable",
        tagged(NAME, "+k8s:immutable"),
        NAME,
        ["info VG706 name: immutable is gone"],
    ),
    (
        "update",
        tagged(COUNT, OPTIONAL, "+k8s:update=NoSet"),
        tagged(COUNT, OPTIONAL, "+k8s:update=NoUnset"),
        ["error VG711 count: update=NoUnset is new", "info VG706 count: update=NoSet is gone"],
    ),
    ("format", NAME, tagged(NAME, "+k8s:format=k8s-uuid"), ['error VG705 name: format "k8s-uuid" is new']),
    (
        "another format",
        tagged(NAME, "+k8s:format=k8s-short-name"),
        tagged(NAME, "+k8s:format=k8s-uuid"),
        ['error VG705 name: format is "k8s-uuid", it was "k8s-short-name"'],
    ),
    (
        "a pattern",
        NAME,
        tagged(NAME, "+kubebuilder:validation:Pattern=`^a`"),
        ['error VG705 name: pattern "^a" is new'],
    ),
    (
        "a rule in CEL",
        NAME,
        tagged(NAME, "+kubebuilder:validation:XValidation:rule=\"self != 'a'\""),
        ["error VG705 name: rule \"self != 'a'\" is new"],
    ),
    (
        "unknown fields are dropped",
        tagged('Part Part `json:"part,omitempty"`', "+kubebuilder:pruning:PreserveUnknownFields"),
        'Part Part `json:"part,omitempty"`',
        ["error VG704 part: fields that the schema does not know are dropped, they were kept"],
    ),
    (
        "the type in the schema",
        NAME,
        tagged(NAME, "+kubebuilder:validation:Type=integer"),
        ['error VG704 name: the type in the schema is "integer", it was that of Go'],
    ),
    (
        "under an option",
        NAME,
        tagged(NAME, "+k8s:ifEnabled(Strict)=+k8s:maxLength=5"),
        ["warning VG705 name: maxLength=5 is new while Strict is on"],
    ),
    (
        "on trial",
        NAME,
        tagged(NAME, '+k8s:alpha(since: "1.36")=+k8s:maxLength=5'),
        ["info VG705 name: maxLength=5 is new (on trial)"],
    ),
    (
        "no longer on trial",
        tagged(NAME, '+k8s:alpha(since: "1.36")=+k8s:maxLength=5'),
        tagged(NAME, "+k8s:maxLength=5"),
        ["error VG705 name: maxLength=5 is new"],
    ),
    (
        "a default",
        tagged(COUNT, "+default=1"),
        tagged(COUNT, "+default=2"),
        ["error VG712 count: the default is 2, it was 1"],
    ),
    ("a new default", COUNT, tagged(COUNT, "+default=2"), ["warning VG712 count: there is a default, 2"]),
    ("no default", tagged(COUNT, "+default=2"), COUNT, ["error VG712 count: the default 2 is gone"]),
    (
        "list type",
        tagged(ITEMS, "+k8s:listType=atomic"),
        tagged(ITEMS, "+k8s:listType=map", "+k8s:listMapKey=name"),
        ['error VG709 items: listType is "map", it was "atomic"'],
    ),
    ("list type as it was", ITEMS, tagged(ITEMS, "+listType=atomic"), [
        'info VG709 items: listType is "atomic", it was not set',
    ]),
    (
        "keys",
        tagged(ITEMS, "+k8s:listType=map", "+k8s:listMapKey=name"),
        tagged(ITEMS, "+k8s:listType=map", "+k8s:listMapKey=name", "+k8s:listMapKey=key"),
        [
            "error VG709 items: items must be unique, by another key",
            'error VG709 items: listMapKey is "name", "key", it was "name"',
        ],
    ),
    (
        "unique",
        tagged(ITEMS, "+k8s:listType=atomic"),
        tagged(ITEMS, "+k8s:listType=atomic", "+k8s:unique=set"),
        ["error VG709 items: items must be unique"],
    ),
    (
        "one item",
        tagged(ITEMS, "+k8s:listType=map", "+k8s:listMapKey=name"),
        tagged(ITEMS, "+k8s:listType=map", "+k8s:listMapKey=name", '+k8s:item(name: "a")=+k8s:immutable'),
        ['error VG711 items[name="a"]: immutable is new'],
    ),
    (
        "items",
        ITEMS,
        tagged(ITEMS, "+k8s:eachVal=+k8s:subfield(name)=+k8s:maxLength=5"),
        ["error VG705 items[*].name: maxLength=5 is new"],
    ),
    (
        "keys of maps",
        'M map[string]string `json:"m,omitempty"`',
        tagged('M map[string]string `json:"m,omitempty"`', "+k8s:eachKey=+k8s:maxLength=5"),
        ["error VG705 m[key]: maxLength=5 is new"],
    ),
    (
        "a new union",
        f"{NAME}\n{COUNT}",
        f"{tagged(NAME, OPTIONAL, '+k8s:unionMember')}\n{tagged(COUNT, OPTIONAL, '+k8s:unionMember')}",
        ["error VG710 spec: union of `count`, `name` is new"],
    ),
    (
        "no union",
        f"{tagged(NAME, OPTIONAL, '+k8s:unionMember')}\n{tagged(COUNT, OPTIONAL, '+k8s:unionMember')}",
        f"{tagged(NAME, OPTIONAL)}\n{tagged(COUNT, OPTIONAL)}",
        ["info VG706 spec: union of `count`, `name` is gone"],
    ),
    (
        "dependent fields",
        f"{NAME}\n{COUNT}",
        f"{tagged(NAME, OPTIONAL, '+k8s:dependentRequired(count)')}\n{COUNT}",
        ["error VG710 spec: dependentRequired of `count`, `name` is new"],
    ),
]  # fmt: skip


@each(("old", "new", "wanted"), [row[1:] for row in FIELDS], ids=[row[0] for row in FIELDS], parts=4)
def test_fields(project: Project, old: str, new: str, wanted: list[str]) -> None:
    part = f'{ITEM}\ntype Part struct {{\n\tName string `json:"name,omitempty"`\n}}\n'
    found = project.compare(api(old, more=part), api(new, more=part))
    assert sorted(said(found)) == sorted(wanted)
    assert all(d.help for d in found.diagnostics.items if d.severity is Severity.ERROR)


FILLED = 'type Item struct {\n\t// +k8s:required\n\tName string `json:"name"`\n}\n'
ONE_ITEM = 'Item *Item `json:"item,omitempty"`'
MORE = [
    (
        "no longer opaque",
        (tagged(ONE_ITEM, OPTIONAL, "+k8s:opaqueType"), FILLED),
        (tagged(ONE_ITEM, OPTIONAL), FILLED),
        ["error VG703 item.name: the field must be set, it was optional"],
    ),
    (
        "a value of an enum is gone",
        (COLOR, COLORS.format(f"{RED}\n{BLUE}")),
        (COLOR, COLORS.format(RED)),
        ['error VG707 color: "Blue" is no legal value any more'],
    ),
    (
        "an enum has a new value",
        (COLOR, COLORS.format(RED)),
        (COLOR, COLORS.format(f"{RED}\n{BLUE}")),
        ['warning VG708 color: "Blue" is a new legal value'],
    ),
    (
        "an enum is new",
        (COLOR, COLORS.format(RED).replace("// +k8s:enum\n", "")),
        (COLOR, COLORS.format(RED)),
        ['error VG705 color: enum "Red" is new'],
    ),
    (
        "a value depends on an option",
        (COLOR, COLORS.format(f"{RED}\n{BLUE}")),
        (COLOR, COLORS.format(f"{RED}\n\t// +k8s:ifDisabled(Paint)=+k8s:enumExclude\n{BLUE}")),
        ['warning VG705 color: enumExclude "Blue" is new while Paint is off'],
    ),
    (
        "a marker has the values of a tag",
        (COLOR, COLORS.format(RED)),
        (COLOR, COLORS.format(RED).replace("// +k8s:enum", "// +kubebuilder:validation:Enum=Red")),
        [],
    ),
    (
        "a rule moves to the type",
        (tagged('Short Short `json:"short,omitempty"`', "+k8s:maxLength=5"), "type Short string\n"),
        ('Short Short `json:"short,omitempty"`', "// +k8s:maxLength=5\ntype Short string\n"),
        [],
    ),
    (
        "a rule moves to the type of items",
        (tagged('Short []Short `json:"short,omitempty"`', "+k8s:eachVal=+k8s:maxLength=5"), "type Short string\n"),
        ('Short []Short `json:"short,omitempty"`', "// +k8s:maxLength=5\ntype Short string\n"),
        [],
    ),
    (
        "a rule moves to the field inside",
        (
            tagged('Part Part `json:"part,omitempty"`', "+k8s:subfield(name)=+k8s:maxLength=5"),
            f"type Part struct {{\n\t{NAME}\n}}\n",
        ),
        ('Part Part `json:"part,omitempty"`', f"type Part struct {{\n\t// +k8s:maxLength=5\n\t{NAME}\n}}\n"),
        [],
    ),
    (
        "a type gets another name",
        ('Part Part `json:"part,omitempty"`', f"type Part struct {{\n\t{NAME}\n}}\n"),
        ('Part Piece `json:"part,omitempty"`', f"type Piece struct {{\n\t{NAME}\n}}\n"),
        [],
    ),
    (
        "fields move into an embedded struct",
        (f"{NAME}\n{COUNT}", ""),
        (f'Inner `json:",inline"`\n{COUNT}', f"type Inner struct {{\n\t{NAME}\n}}\n"),
        [],
    ),
    (
        "a type that is used twice is told once",
        ('A Part `json:"a,omitempty"`\nB Part `json:"b,omitempty"`', f"type Part struct {{\n\t{NAME}\n}}\n"),
        (
            'A Part `json:"a,omitempty"`\nB Part `json:"b,omitempty"`',
            f"type Part struct {{\n\t// +k8s:maxLength=5\n\t{NAME}\n}}\n",
        ),
        ["error VG705 a.name: maxLength=5 is new"],
    ),
    (
        "a type inside itself",
        ('Tree Tree `json:"tree,omitempty"`', 'type Tree struct {\n\tTrees []Tree `json:"trees,omitempty"`\n}\n'),
        (
            'Tree Tree `json:"tree,omitempty"`',
            'type Tree struct {\n\t// +k8s:maxItems=5\n\tTrees []Tree `json:"trees,omitempty"`\n}\n',
        ),
        ["error VG705 tree.trees: maxItems=5 is new"],
    ),
    (
        "types with errors are not compared",
        (tagged('Short string `json:"short,omitempty"`', "+k8s:maxLength=5"), ""),
        (tagged('Short string `json:"short,omitempty"`', "+k8s:maxLength=five"), ""),
        [
            (
                "error VG716 the new state has an error, so not all of it is compared: "
                'field api/v1.Spec.short: tag "k8s:maxLength": tag value has wrong type: got string, want int'
            ),
        ],
    ),
    (
        "a misspelt rule is missing",
        (tagged('Short string `json:"short,omitempty"`', "+k8s:maxLength=5"), ""),
        (tagged('Short string `json:"short,omitempty"`', "+k8s:maxLenght=5"), ""),
        [
            "info VG706 short: maxLength=5 is gone",
            (
                "error VG716 the new state has an error, so not all of it is compared: "
                "field api/v1.Spec.short: unknown tag +k8s:maxLenght"
            ),
        ],
    ),
]


@each(("old", "new", "wanted"), [row[1:] for row in MORE], ids=[row[0] for row in MORE])
def test_types(project: Project, old: tuple[str, str], new: tuple[str, str], wanted: list[str]) -> None:
    found = project.compare(api(old[0], more=old[1]), api(new[0], more=new[1]))
    assert sorted(said(found)) == sorted(wanted)


def test_the_places_of_a_type_are_listed_and_bounded(project: Project) -> None:
    fields = "\n".join(f'F{i} Part `json:"f{i},omitempty"`' for i in range(9))
    part = f"type Part struct {{\n\t{NAME}\n}}\n"
    found = project.compare(
        api(fields, more=part), api(fields, more=part.replace("\tName", "\t// +k8s:maxLength=5\n\tName"))
    )
    (finding,) = found.diagnostics.items
    assert finding.notes[0][0] == (
        "also at example.com/v1 Robot spec.f1.name, example.com/v1 Robot spec.f2.name and 6 more"
    )


RESOURCES = [
    ("scope", "// +kubebuilder:resource:scope=Cluster\n", "", "error VG713 : the scope is Namespaced, it was Cluster"),
    (
        "plural",
        "// +kubebuilder:resource:path=robots\n",
        "// +kubebuilder:resource:path=bots\n",
        "error VG713 : the plural is bots, it was robots",
    ),
    (
        "short names",
        "// +kubebuilder:resource:shortName=rb;ro\n",
        "// +kubebuilder:resource:shortName=rb\n",
        "warning VG713 : the short name ro is gone",
    ),
    ("status", "// +kubebuilder:subresource:status\n", "", "error VG713 : the status subresource is gone"),
    ("served", "", "// +kubebuilder:unservedversion\n", "error VG701 : the version is not served any more"),
]


@pytest.mark.parametrize(("old", "new", "wanted"), [row[1:] for row in RESOURCES], ids=[row[0] for row in RESOURCES])
def test_resources(project: Project, old: str, new: str, wanted: str) -> None:
    head = "// +kubebuilder:object:root=true\n"
    found = project.compare(api(NAME, marks=head + old), api(NAME, marks=head + new))
    assert said(found) == [wanted]


def test_kinds_that_are_gone_or_new(project: Project) -> None:
    drone = 'type Drone struct {\n\tmetav1.TypeMeta `json:",inline"`\n}\n'
    found = project.compare(api(NAME, more=drone), api(NAME, more=drone.replace("Drone", "Boat")))
    assert sorted(said(found)) == [
        "error VG701 example.com/v1 Drone: the kind is gone",
        "info VG715 example.com/v1 Boat: the kind is new in this version",
    ]


def test_lists_of_kinds_follow_their_kinds(project: Project) -> None:
    both = (
        'type {0} struct {{\n\tmetav1.TypeMeta `json:",inline"`\n}}\n\n'
        'type {0}List struct {{\n\tmetav1.TypeMeta `json:",inline"`\n\tItems []{0} `json:"items"`\n}}\n'
    )
    found = project.compare(api(NAME, more=both.format("Drone")), api(NAME))
    assert said(found) == ["error VG701 example.com/v1 Drone: the kind is gone"]


def test_safe_changes_are_counted_but_not_told(project: Project) -> None:
    found = project.compare(api(NAME), api(f"{NAME}\n{COUNT}"), all=False)
    assert (said(found), found.safe, found.kinds) == ([], 1, 1)
