"""Constraints of pydantic, annotated_types, msgspec and attrs: as tags, and as findings where no tag says the same."""

from collections.abc import Callable

from tests.sources.python.conftest import Read
from tests.tables import each
from validation_gen.sources.model import Struct, TypeDecl

Reader = Callable[..., Read]
HEAD = """\
import re
import annotated_types as at
import attr
import attrs
import msgspec
import pydantic
from attrs import validators as v
from attrs.validators import optional
from msgspec import Meta as M
from pydantic import BaseModel, Field as F, PositiveInt, StringConstraints, conint, conlist, constr

MOST = 2**31 - 1
LEAST = -5
LABEL = r"^[a-z0-9]([a-z0-9-]*[a-z0-9])?$"
UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
Short: TypeAlias = Annotated[str, at.MaxLen(5)]
Code = constr(min_length=2)

class D(BaseModel):
    d: int
"""


def declared(found: Read, name: str = "C") -> TypeDecl:
    return found.universe.packages["m"].types[name]


def tags(found: Read, name: str = "C") -> list[str]:
    type = declared(found, name).type
    assert isinstance(type, Struct)
    return [line.text for line in type.fields[0].comments]


SAID = {
    "Annotated[int, at.Ge(1)]": ["minimum=1"],
    "Annotated[int, at.Ge(ge=1)]": ["minimum=1"],
    "Annotated[int, at.Gt(0)]": ["minimum=1"],
    "Annotated[int, at.Gt(0.5), at.Lt(2.5)]": ["minimum=1", "maximum=2"],
    "Annotated[int, at.Ge(0.5), at.Le(2.5)]": ["minimum=1", "maximum=2"],
    "Annotated[int, at.Interval(gt=0, le=MOST)]": ["minimum=1", "maximum=2147483647"],
    "Annotated[int, F(ge=1, gt=3, lt=9)]": ["minimum=4", "maximum=8"],
    "Annotated[int, F(ge=LEAST), Int32]": ["minimum=-5"],
    "Annotated[int, F(ge=0, le=300), Int8]": ["minimum=0"],
    "Annotated[int, at.Ge(0), Uint16]": [],
    "Annotated[int | None, F(le=-(2**4))]": ["maximum=-16"],
    "Annotated[int, F(ge=3)] | None": ["minimum=3"],
    "Annotated[int, at.MultipleOf(1)]": [],
    "PositiveInt": ["minimum=1"],
    "pydantic.types.NonPositiveInt": ["maximum=0"],
    "conint(ge=1, lt=5)": ["minimum=1", "maximum=4"],
    "Annotated[int, M(gt=0, title='x')]": ["minimum=1"],
    "Literal[2]": ["minimum=2", "maximum=2"],
    "Literal[3, 1, 2]": ["minimum=1", "maximum=3"],
    "Annotated[str, at.MinLen(1), at.MaxLen(5)]": ["minLength=1", "maxLength=5"],
    "Annotated[str, at.Len(0, 5)]": ["maxLength=5"],
    "Annotated[str, StringConstraints(min_length=1, strict=True)]": ["minLength=1"],
    "constr(max_length=5)": ["maxLength=5"],
    "Annotated[str, M(max_length=5)]": ["maxLength=5"],
    "Annotated[bytes, F(max_length=5)]": ["maxItems=5"],
    "Annotated[list[str], F(min_length=1, max_length=2)]": ["minItems=1", "maxItems=2"],
    "conlist(str, min_length=1)": ["minItems=1"],
    "conlist(item_type=constr(max_length=3), max_length=4)": ["eachVal=+k8s:maxLength=3", "maxItems=4"],
    "list[Annotated[int, at.Ge(1)]]": ["eachVal=+k8s:minimum=1"],
    "Annotated[dict[str, int], F(max_length=2)]": ["maxProperties=2"],
    "dict[Annotated[str, at.MaxLen(2)], PositiveInt]": ["eachKey=+k8s:maxLength=2", "eachVal=+k8s:minimum=1"],
    "Annotated[Short, at.MinLen(1)]": ["minLength=1"],
    "Annotated[str, F(pattern=LABEL, max_length=63)]": ["format=k8s-short-name"],
    "Annotated[str, F(pattern=LABEL, max_length=9)]": ["maxLength=9", "format=k8s-short-name"],
    r"Annotated[str, M(pattern=r'\A[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z')]": ["format=k8s-uuid"],
    r"Annotated[str, F(pattern=re.compile(r'^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$'))]": ["format=k8s-uuid"],
    "Annotated[str, F(title='x', description='y', examples=['z'])]": [],
    "int = F(3, ge=-1)": ["minimum=-1"],
    "str = pydantic.fields.Field(min_length=1)": ["minLength=1"],
    "int = attrs.field(validator=[v.ge(1), v.lt(5)])": ["minimum=1", "maximum=4"],
    "int = attr.ib(validator=attr.validators.and_(v.instance_of(int), v.gt(1), v.le(5)))": ["minimum=2", "maximum=5"],
    "int | None = attrs.field(default=None, validator=optional(v.ge(1)))": ["minimum=1"],
    "int = attrs.field(validator=v.in_(range(1, 5)))": ["minimum=1", "maximum=4"],
    "int = attrs.field(validator=v.in_([1, 2]))": ["minimum=1", "maximum=2"],
    "str = attrs.field(validator=v.max_len(5))": ["maxLength=5"],
    "str = attrs.field(validator=v.matches_re(UUID))": ["format=k8s-uuid"],
    "list[str] = attrs.field(validator=v.deep_iterable(v.max_len(5), v.min_len(1)))": [
        "eachVal=+k8s:maxLength=5",
        "minItems=1",
    ],
    "dict[str, int] = attrs.field(validator=v.deep_mapping(v.max_len(3), value_validator=v.ge(1)))": [
        "eachKey=+k8s:maxLength=3",
        "eachVal=+k8s:minimum=1",
    ],
}


@each("field", SAID)
def test_constraints_become_tags(read: Reader, field: str) -> None:
    found = read(f"{HEAD}\n@attrs.define\nclass C:\n    x: {field}\n")
    assert [tag for tag in tags(found) if not tag.startswith("+default")] == [f"+k8s:{tag}" for tag in SAID[field]]
    assert found.problems == []


NO_TAG = "write CustomValidation for it, or take it away"
UNSAID = {
    "Annotated[int, at.MultipleOf(2)]": ("`at.MultipleOf(2)` has no effect here: no tag says the same", NO_TAG),
    "Annotated[int, F(multiple_of=2)]": ("`multiple_of=2` has no effect here: no tag says the same", NO_TAG),
    "Annotated[float, F(ge=0)]": ("`ge=0` has no effect here: no tag says that of such a type", NO_TAG),
    "Annotated[str, at.Ge(1)]": ("`at.Ge(1)` has no effect here: no tag says that of such a type", NO_TAG),
    "Annotated[int, at.Predicate(bool)]": ("`at.Predicate(bool)` has no effect here: no tag says the same", NO_TAG),
    "Annotated[str, StringConstraints(to_lower=True)]": (
        "`to_lower=True` has no effect here: no tag says the same",
        NO_TAG,
    ),
    "Annotated[D, F(max_length=1)]": ("`max_length=1` has no effect here: no tag says that of such a type", NO_TAG),
    "Annotated[int, F(ge=int('1'))]": (
        "`ge=int('1')` has no effect here: its value cannot be known without running the module",
        "write the value itself",
    ),
    "Annotated[int, F(**kw)]": (
        "`**kw` has no effect here: the arguments are not written out",
        "write the value itself",
    ),
    "Annotated[str, F(pattern='^a+$')]": (
        "`pattern='^a+$'` has no effect here: no format is the same",
        "write a Format that says what is meant, or CustomValidation",
    ),
    "Annotated[str, F(pattern=LABEL)]": (
        "`pattern=LABEL` has no effect here: the format that is like it has a greatest length",
        'with max_length=63 it is Format("k8s-short-name")',
    ),
    # In Python, `$` lets a line break follow.
    "Annotated[str, M(pattern=LABEL, max_length=63)]": (
        "`pattern=LABEL` has no effect here: no format is the same",
        "write a Format that says what is meant, or CustomValidation",
    ),
    "Annotated[int, F(ge=1), F(ge=2)]": ("`ge=2` says something else than `ge=1`", "write one of them"),
    "Annotated[Short, at.MaxLen(9)]": (
        "`at.MaxLen(9)` says something else than `at.MaxLen(5)` of its type",
        "take one of them away",
    ),
    "Annotated[int, F(ge=1), Minimum(2)]": (
        "the tag is `+k8s:minimum=2`, and the constraint says `+k8s:minimum=1`",
        "write one of them",
    ),
    "int = F(2, ge=3)": ("the default of `x` breaks `ge=3`", "write another default"),
    "int = F(3, ge=1)": (
        "validators see 0 where `x` is absent, which breaks `ge=1`",
        "fill in the default, 3, before they run, or write Optional",
    ),
    "str = attrs.field(default='b', validator=v.in_(['a', 'b']))": (
        "validators see \"\" where `x` is absent, which breaks `v.in_(['a', 'b'])`",
        'fill in the default, "b", before they run, or write Optional',
    ),
    "str = F('', min_length=1)": ("the default of `x` breaks `min_length=1`", "write another default, or Optional"),
    "Annotated[list[str], F(min_length=1)] | None": (
        "`min_length=1` refuses an absent value here, and passes None",
        "write Optional if it may be absent or empty, or Required",
    ),
    "int | None = attrs.field(validator=v.ge(1))": (
        "None breaks `v.ge(1)`",
        "write attrs.validators.optional(v.ge(1))",
    ),
    "int = attrs.field(validator=v.in_([1, 3]))": ("`v.in_([1, 3])` has no effect here: no tag says the same", NO_TAG),
    "int = attrs.field(validator=v.not_(v.ge(1)))": (
        "`v.not_(v.ge(1))` has no effect here: no tag says the same",
        NO_TAG,
    ),
    "int = attrs.field(validator=check)": ("`check` has no effect here: no tag says the same", NO_TAG),
    "str = attrs.field(validator=v.matches_re(UUID, re.I))": (
        "`v.matches_re(UUID, re.I)` has no effect here: no tag says the same",
        NO_TAG,
    ),
}


@each("field", UNSAID)
def test_what_no_tag_says_is_a_finding(read: Reader, field: str) -> None:
    found = read(f"{HEAD}\nkw = {{}}\n@attrs.define\nclass C:\n    x: {field}\n")
    assert found.problems == [("VG106", *UNSAID[field])]


@each(
    ("tag", "field"),
    [
        ("customValidation", "Annotated[int, F(multiple_of=2)]"),
        ("customValidation", "Annotated[str, F(pattern='^a$')]"),
        ("format=k8s-short-name", "Annotated[str, F(pattern=LABEL)]"),
        ("optional", "Annotated[list[str], F(min_length=1)] | None"),
        ("optional", "str = F('', min_length=1)"),
        ("minimum=1", "Annotated[int, F(gt=0)]"),
        ("eachVal=+k8s:maxLength=3", "list[constr(max_length=3)]"),
        ('format="k8s-short-name"', "Annotated[str, F(pattern=LABEL, max_length=63)]"),
    ],
)
def test_a_tag_beside_it_settles_it(read: Reader, tag: str, field: str) -> None:
    found = read(f"{HEAD}\n@attrs.define\nclass C:\n    # +k8s:{tag}\n    x: {field}\n")
    written = [text.strip().rpartition("=")[0] for text in tags(found) if not text.startswith("+default")]
    assert len(written) == len(set(written))
    assert found.problems == []


def test_a_name_in_json_in_an_annotation(read: Reader) -> None:
    found = read(f"{HEAD}\nclass C(BaseModel):\n    x: Annotated[int, F(7, alias='theX', ge=1)]\n")
    type = declared(found).type
    assert isinstance(type, Struct)
    assert (type.fields[0].json, tags(found)) == ("theX", ["+k8s:minimum=1", "+default=7"])


def test_options_of_strings_are_an_enum(read: Reader) -> None:
    found = read(
        f"{HEAD}\n@attrs.define\nclass C:\n    x: str = attrs.field(validator=v.in_(['a', 'b']))\n"
        "    y: list[str] = attrs.field(validator=v.deep_iterable(v.in_(('c',))))\n"
    )
    type = declared(found).type
    assert isinstance(type, Struct)
    assert [str(member.type) for member in type.fields] == ["m.CX", "[]m.CY"]
    constants = found.universe.packages["m"].constants
    assert [(str(c.type), c.value) for c in constants] == [("m.CX", "a"), ("m.CX", "b"), ("m.CY", "c")]
    assert found.problems == []


def test_named_types_have_tags_of_their_own(read: Reader) -> None:
    found = read(f"{HEAD}\nclass C(BaseModel):\n    x: Code\n    y: Short | None = None\n")
    assert [line.text for line in declared(found, "Code").closest] == ["+k8s:minLength=2"]
    assert [line.text for line in declared(found, "Short").closest] == ["+k8s:maxLength=5"]
    assert tags(found) == []
    assert found.problems == []


def test_names_by_a_star(read: Reader) -> None:
    found = read(
        "from annotated_types import *\nfrom pydantic import *\n"
        "class C(BaseModel):\n    x: Annotated[conint(le=4), Ge(1)]\n"
    )
    assert tags(found) == ["+k8s:maximum=4", "+k8s:minimum=1"]


def test_a_finding_has_the_place_of_the_constraint(read: Reader) -> None:
    found = read(
        {"m.py": "from pydantic import BaseModel, Field\nclass C(BaseModel):\n    x: int = Field(multiple_of=2)\n"}
    )
    assert found.places == ["m.py:3:20"]


@each(
    "field",
    [
        "Annotated[int, at.Ge()]",
        "Annotated[int, at.Ge(1, 2)]",
        "Annotated[int, F(ge='x')]",
        "Annotated[int, F(ge=True)]",
        "Annotated[int, F(ge=1e400)]",
        "Annotated[int, F(ge=10**1000)]",
        "Annotated[str, F(max_length=-1)]",
        "Annotated[str, F(pattern=5)]",
        "Annotated[str, F(pattern='[')]",
        "conlist()",
        "pydantic.conset(int)",
        "int = attrs.field(validator=v.in_())",
        "int = attrs.field(validator=v.in_([[]]))",
        "int = attrs.field(validator=v.in_([1, []]))",
        "Annotated[int, F(le=1" + "0" * 400 + ")]",
        "Annotated[int, F(ge=1 << 2 ** 99)]",
        "int = attrs.field(validator=v.in_(range(10**30)))",
        "int = attrs.field(validator=v.deep_iterable(v.ge(1)))",
        "int = attrs.field(validator=v.ge(*a))",
        "Literal[1, 'a']",
        "Literal[1, 3]",
        "Literal[True]",
    ],
)
def test_odd_ones_are_no_tracebacks(read: Reader, field: str) -> None:
    assert read(f"{HEAD}\n@attrs.define\nclass C:\n    x: {field}\n") is not None


# --- checks in Python -------------------------------------------------------------------------------------------------

_BY_HAND = """
from pydantic import BaseModel, field_validator, model_validator
import attrs, pydantic

class C(BaseModel):
    # +k8s:maxLength=3
    x: str
    # +k8s:customValidation
    y: str

    @field_validator("x", mode="after")
    @classmethod
    def _short(cls, value): ...

    @field_validator("y")
    def _other(cls, value): ...

    @model_validator(mode="after")
    def _whole(self): ...

    @property
    def z(self): ...

@attrs.define
class D:
    n: int = attrs.field()

    @n.validator
    def _even(self, attribute, value): ...
"""


def test_checks_in_python_are_told_and_not_read(read: Reader) -> None:
    found = read(_BY_HAND)
    told = [text for _, text, *_ in found.problems]
    assert told == [
        "`_short` checks `x` in Python (`@field_validator`), and such functions are not read",
        "`_whole` checks the object in Python (`@model_validator`), and such functions are not read",
        "`_even` checks `n` in Python (`@n.validator`), and such functions are not read",
    ]
