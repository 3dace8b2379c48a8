"""Classes, enums, aliases and their comments; names and defaults of fields."""

from collections.abc import Callable

import pytest

from tests.sources.python.conftest import HEAD_LINES, Read
from tests.tables import each
from validation_gen.compiler.pipeline import Settings, build_program
from validation_gen.sources.model import Field, Package, Struct

Reader = Callable[..., Read]


def package_of(found: Read, path: str = "m") -> Package:
    package = found.universe.package(path)
    assert package is not None
    return package


def fields_of(found: Read, owner: str = "C", path: str = "m") -> dict[str, Field]:
    type = package_of(found, path).types[owner].type
    assert isinstance(type, Struct)
    return {member.attribute or member.go_name: member for member in type.fields}


def texts(lines: tuple[object, ...]) -> list[str]:
    return [line.text for line in lines]  # type: ignore[attr-defined]


# --- which classes have fields ---------------------------------------------------------------------------------------


@each(
    "head",
    [
        "@dataclass\nclass C:",
        "@dataclass(kw_only=True, slots=True)\nclass C:",
        "@dataclasses.dataclass\nclass C:",
        "import attrs\n@attrs.define\nclass C:",
        "from attrs import define\n@define(slots=True)\nclass C:",
        "import attr\n@attr.s(auto_attribs=True)\nclass C:",
        "import msgspec\nclass C(msgspec.Struct, kw_only=True):",
        "from pydantic import BaseModel\nclass C(BaseModel):",
        "from pydantic.dataclasses import dataclass as pd\n@pd\nclass C:",
        "class C(TypeMeta):",
        "@dataclass\nclass A: ...\nclass C(A):",
        "try:\n    import attrs as at\nexcept ImportError:\n    at = None\n@at.frozen\nclass C:",
    ],
)
def test_structs(read: Reader, head: str) -> None:
    found = read(
        f"{head}\n    a: str\n    _hidden: int\n    CONST: ClassVar[int] = 5\n    plain = 5\n    def f(self): ...\n"
    )
    members = fields_of(found)
    assert members["a"].json == "a"
    assert set(members) <= {"a", "A", "TypeMeta"}
    assert found.problems == []


@pytest.mark.parametrize("head", ["class C:", "class C(dict):", "@property\nclass C:", "class C(C):", "class C(f()):"])
def test_other_classes_are_none_of_ours(read: Reader, head: str) -> None:
    assert package_of(read(f"{head}\n    a: str\n")).types == {}


def test_inheritance_embeds(read: Reader) -> None:
    found = read(
        {
            "base.py": "from dataclasses import dataclass\n@dataclass\nclass Base:\n    # +k8s:required\n    a: str\n",
            "m.py": "import abc, base\nfrom dataclasses import dataclass\n@dataclass\nclass C(base.Base, abc.ABC):\n"
            "    b: str\n",
        },
        "m.py",
    )
    base, member = fields_of(found).values()
    assert (base.go_name, str(base.type), base.embedded, base.inline, base.json) == (
        "Base",
        "base.Base",
        True,
        True,
        "",
    )
    assert member.go_name == "B"
    assert found.problems == []
    assert found.universe.packages["m"].input
    assert fields_of(found, "Base", "base")["a"].comments[0].text == " +k8s:required"
    assert not package_of(found, "base").input


def test_generic_classes_are_refused(read: Reader) -> None:
    found = read("T = typing.TypeVar('T')\n@dataclass\nclass C(typing.Generic[T]):\n    a: T\n")
    assert ("VG106", "C is generic, and the types of an API are not", "declare a class for each of its uses") in (
        found.problems
    )


def test_embedding_by_hand(read: Reader) -> None:
    found = read("@dataclass\nclass A:\n    x: int\n@dataclass\nclass C:\n    a: str\n    rest: Annotated[A, Inline]\n")
    rest = fields_of(found)["rest"]
    assert (rest.go_name, rest.inline, rest.json, rest.path_name) == ("A", True, "", "")


# --- names -----------------------------------------------------------------------------------------------------------


@each(
    ("declaration", "json", "go"),
    [
        ("pod_ips: list[str]", "podIPs", "PodIPs"),
        ("api_version: str", "apiVersion", "APIVersion"),
        ("from_: str", "from", "From"),
        ("x: Annotated[str, Json('y')]", "y", "Y"),
        ("x: Annotated[str, Json(go='Z')]", "x", "Z"),
        ("x: Annotated[str, Json('y', go='Z')] | None", "y", "Z"),
        ("x: Annotated[str, Json('-')]", "", "X"),
        ("x: str = field(metadata={})", "x", "X"),
        ("metadata: ObjectMeta", "metadata", "ObjectMeta"),
        ("metadata: str", "metadata", "Metadata"),
    ],
)
def test_names(read: Reader, declaration: str, json: str, go: str) -> None:
    found = read(f"@dataclass\nclass C:\n    {declaration}\n")
    (member,) = fields_of(found).values()
    assert (member.json, member.go_name) == (json, go)
    assert found.problems == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("from pydantic import BaseModel, Field\nclass C(BaseModel):\n    x: str = Field(alias='yY')\n", "yY"),
        ("import msgspec\nclass C(msgspec.Struct):\n    x: str = msgspec.field(name='z')\n", "z"),
    ],
)
def test_names_of_other_libraries(read: Reader, text: str, name: str) -> None:
    (member,) = fields_of(read(text)).values()
    assert member.json == name
    assert member.omit == ""


def test_two_fields_of_one_name(read: Reader) -> None:
    found = read("@dataclass\nclass C:\n    a_b: str\n    aB: str\n")
    ((code, message, _),) = found.problems
    assert (code, message) == ("VG106", "C: two fields have the name `aB` in JSON")


# --- defaults --------------------------------------------------------------------------------------------------------

DEFAULTS = {
    "int": (None, ""),
    "int = 5": ("5", "omitempty"),
    "int = -5": ("-5", "omitempty"),
    "int = 0": (None, "omitempty"),
    "bool = False": (None, "omitempty"),
    "bool = True": ("true", "omitempty"),
    "str = ''": (None, "omitempty"),
    "str = 'ä\"'": ('"ä\\""', "omitempty"),
    "str | None = None": (None, "omitempty"),
    "Phase = Phase.IDLE": ('"Idle"', "omitempty"),
    "str = Phase.IDLE.value": ('"Idle"', "omitempty"),
    "int = SIZE": ("7", "omitempty"),
    "list[str] = field(default_factory=list)": ("[]", "omitempty"),
    "dict[str, str] = field(default_factory=dict)": ("{}", "omitempty"),
    "list[str] = field(default_factory=lambda: ['a'])": ('["a"]', "omitempty"),
    "D = field(default_factory=D)": (None, "omitempty"),
    "int = field(default=3)": ("3", "omitempty"),
    "int = field(repr=False)": (None, ""),
    "ObjectMeta = field(default_factory=ObjectMeta)": (None, "omitempty"),
    "Annotated[int, Json(omit='omitzero')] = 4": ("4", "omitzero"),
    "Annotated[int, Json(omit='never')] = 4": ("4", ""),
    "Annotated[int, Json(omit='omitempty')]": (None, "omitempty"),
}


@each(("declaration", "want"), DEFAULTS.items())
def test_defaults(read: Reader, declaration: str, want: tuple[str | None, str]) -> None:
    found = read(
        "SIZE = 7\nclass Phase(str, Enum):\n    IDLE = 'Idle'\n@dataclass\nclass D: ...\n"
        f"@dataclass\nclass C:\n    x: {declaration}\n"
    )
    (member,) = fields_of(found).values()
    default = next((line.text.partition("=")[2] for line in member.comments if "+default=" in line.text), None)
    assert (default, member.omit) == want
    assert found.problems == []


def test_an_empty_list_demands_no_item(read: Reader) -> None:
    found = read("@dataclass\nclass C:\n    # +k8s:optional\n    x: list[str] = field(default_factory=list)\n")
    assert texts(fields_of(found)["x"].comments) == [" +k8s:optional"]


def test_a_default_in_the_comment_counts(read: Reader) -> None:
    found = read("@dataclass\nclass C:\n    # +default=6\n    x: int = 5\n")
    assert texts(fields_of(found)["x"].comments) == [" +default=6"]


def test_a_default_that_only_a_run_could_tell(read: Reader) -> None:
    found = read("@dataclass\nclass C:\n    x: int = compute()\n")
    ((code, message, _),) = found.problems
    assert (code, message) == ("VG106", "the default of `x` cannot be known without running the module")
    assert fields_of(found)["x"].omit == "omitempty"


# --- comments --------------------------------------------------------------------------------------------------------


def test_comments(read: Reader) -> None:
    found = read(
        "# second\n# closest\n\n# third\n\n# +k8s:a\n#  +k8s:b\n@dataclass\nclass C:  # +k8s:c\n"
        "    # about x\n    #: +k8s:d\n    x: str  # +k8s:e\n    y: str = (  # +k8s:f\n        ''\n    )  # +k8s:g\n"
        "    # of nobody\n\n    z: str\n"
    )
    declaration = package_of(found).types["C"]
    assert texts(declaration.closest) == [" +k8s:a", "  +k8s:b", " +k8s:c"]
    assert texts(declaration.second_closest) == [" third"]
    members = fields_of(found)
    assert texts(members["x"].comments) == [" about x", " +k8s:d", " +k8s:e"]
    assert texts(members["y"].comments) == [" +k8s:f", " +k8s:g"]
    assert texts(members["z"].comments) == []
    line = members["x"].comments[1]
    assert (line.span.line, line.span.column, line.span.end_column) == (HEAD_LINES + 11, 7, 14)
    assert (declaration.span.line, declaration.span.column) == (HEAD_LINES + 9, 7)


def test_enums(read: Reader) -> None:
    found = read(
        "class A(str, Enum):\n    # +k8s:enumExclude\n    ONE = 'One'\n    TWO = 'Two'  # +k8s:x\n    _ignore_ = []\n"
        "# +k8s:enum\nclass B(enum.StrEnum):\n    X = 'x'\n\nclass N(Enum):\n    ONE = 1\n"
    )
    package = package_of(found)
    assert texts(package.types["A"].closest) == ["+k8s:enum"]
    assert texts(package.types["B"].closest) == [" +k8s:enum"]
    assert [(str(c.type), c.name, c.value, texts(c.comments)) for c in package.constants] == [
        ("m.A", "ONE", "One", [" +k8s:enumExclude"]),
        ("m.A", "TWO", "Two", [" +k8s:x"]),
        ("m.B", "X", "x", []),
    ]
    ((code, message, _),) = found.problems
    assert (code, message) == ("VG106", "N: the members of an enum are strings in an API")


@pytest.mark.parametrize(
    "text",
    [
        "# +k8s:a\nX: TypeAlias = str  # +k8s:b\n",
        "# +k8s:a\nX = NewType('X', str)  # +k8s:b\n",
        "# +k8s:a\ntype X = str  # +k8s:b\n",
        "# +k8s:a\nX = Annotated[str, 'doc']  # +k8s:b\n",
        "if True:\n    # +k8s:a\n    type X = (\n        str\n    )  # +k8s:b\n",
    ],
)
def test_aliases(read: Reader, text: str) -> None:
    found = read(text)
    declaration = package_of(found).types["X"]
    assert (str(declaration.type), texts(declaration.closest)) == ("string", [" +k8s:a", " +k8s:b"])
    assert found.problems == []


@pytest.mark.parametrize("text", ["X = 5\n", "X = str\n", "X = list[str]\n", "type = 5\ntype\n", "X: int = 5\n"])
def test_what_is_no_alias(read: Reader, text: str) -> None:
    assert package_of(read(text)).types == {}


# --- directives ------------------------------------------------------------------------------------------------------


def test_directives(read: Reader) -> None:
    found = read(
        {
            "a/__init__.py": '"""The API.\n\n+groupName=a\n+k8s:validation-gen=*\n"""\n',
            "a/v1.py": "# +groupName=b\n\nimport x\n\n# +k8s:validation-gen=false\n\n# of C\nclass C: ...\n# later\n",
            "a/v2.py": "'''+groupName=c'''\n# +k8s:d\n",
        },
        ".",
    )
    assert texts(package_of(found, "a/v1").comments) == [" +groupName=b", " +k8s:validation-gen=false"]
    assert texts(package_of(found, "a/v2").comments) == ["+groupName=c", " +k8s:d", "+k8s:validation-gen=*"]
    line = package_of(found, "a/v2").comments[0]
    assert (line.span.line, line.span.column, line.span.end_column) == (1, 4, 16)


def test_values_of_members_that_are_not_written_out(read: Reader) -> None:
    found = read(
        "class Mode(enum.StrEnum):\n    FAST = enum.auto()\n    QUICK = FAST\n    SLOW = 'Slow'\n\n"
        "@dataclass\nclass C:\n    mode: Mode = Mode.QUICK\n"
    )
    assert [(c.name, c.value) for c in package_of(found).constants] == [
        ("FAST", "fast"),
        ("QUICK", "fast"),
        ("SLOW", "Slow"),
    ]
    assert texts(fields_of(found)["mode"].comments) == ['+default="fast"']
    assert found.problems == []
    numbered = read("class Mode(str, Enum):\n    FAST = enum.auto()\n")
    assert numbered.problems[0][2].startswith("make it a StrEnum")


def test_a_default_is_reported_where_it_stands(read: Reader) -> None:
    files = {
        "lib.py": "\n\n\n\nUNKNOWN = f()\nPORT = 80\n",
        "m.py": (
            "from dataclasses import dataclass\nfrom lib import UNKNOWN, PORT\nLOOP = LOOP\n"
            "@dataclass\nclass C:\n    a: int = UNKNOWN\n    b: int = PORT\n    c: int = LOOP\n"
        ),
    }
    found = read(files, "m.py")
    assert texts(fields_of(found)["b"].comments) == ["+default=80"]
    assert found.places == ["m.py:6:14", "m.py:8:14"]


def test_rules_of_pydantic_beside_a_default(read: Reader) -> None:
    found = read("import pydantic\nclass C(pydantic.BaseModel):\n    a: int = pydantic.Field(3, ge=-1, title='A')\n")
    assert texts(fields_of(found)["a"].comments) == ["+k8s:minimum=-1", "+default=3"]
    assert found.problems == []


def test_defaults_of_attrs(read: Reader) -> None:
    found = read(
        "import attrs\n@attrs.define\nclass C:\n"
        "    a: str = attrs.field(default='x', alias='other')\n    b: list[str] = attrs.Factory(list)\n"
    )
    members = fields_of(found)
    assert [(m.json, texts(m.comments)) for m in members.values()] == [("a", ['+default="x"']), ("b", ["+default=[]"])]
    assert found.problems == []


def test_a_field_that_a_base_has_already(read: Reader) -> None:
    text = "class D:\n    a: str\n@dataclass\nclass E(D): ...\n@dataclass\nclass C(E):\n    a: str\n    b: str\n"
    found = read(f"@dataclass\n{text}")
    assert found.problems == [
        (
            "VG106",
            "`a` is a field of D, too, whose rules will not find it there",
            "give it another name, or take it out of D",
        )
    ]


def test_kinds_inherit_their_type_meta(read: Reader) -> None:
    text = (
        "@dataclass\nclass Base(TypeMeta):\n    metadata: ObjectMeta\n"
        "@dataclass\nclass Loop(Loop):\n    a: str\n"
        "@dataclass\nclass C(Base):\n    name: str  # +k8s:required\n"
    )
    read(text)
    program = build_program(Settings(paths=("m.py",))).program
    assert [root.type for root in program.packages["m"].roots] == ["m.Base", "m.C"]
