"""What annotations become, and what is said of those that can become nothing."""

from collections.abc import Callable

from tests.sources.python.conftest import Read
from tests.tables import each
from validation_gen.sources.model import Struct

META = "k8s.io/apimachinery/pkg/apis/meta/v1"
Reader = Callable[..., Read]


def field_of(found: Read, owner: str = "C", index: int = 0) -> tuple[str, list[str]]:
    """The type of a field, and its tags."""
    package = found.universe.package("m")
    assert package is not None
    type = package.types[owner].type
    assert isinstance(type, Struct)
    member = type.fields[index]
    return str(member.type), [line.text for line in member.comments]


TYPES = {
    "str": "string",
    "bool": "bool",
    "int": "int64",
    "float": "float64",
    "bytes": "[]uint8",
    "object": "interface{}",
    "Any": "interface{}",
    "typing.Any": "interface{}",
    "list": "[]interface{}",
    "dict": "map[string]interface{}",
    "list[str]": "[]string",
    "typing.List[int]": "[]int64",
    "Sequence[str]": "[]string",
    "dict[str, int]": "map[string]int64",
    "Mapping[str, str]": "map[string]string",
    "dict[str, list[str]]": "map[string][]string",
    "Annotated[int, Int32]": "int32",
    "Annotated[int, Int8, Uint16]": None,
    "Annotated[int | None, Int32]": "*int32",
    "Annotated[int, Int32] | None": "*int32",
    "Annotated[float, Float32]": "float32",
    "list[Annotated[int, Int32]]": "[]int32",
    "str | None": "*string",
    "None | str": "*string",
    "Optional[str]": "*string",
    "Union[str, None]": "*string",
    "typing.Optional[D]": "*m.D",
    "D | None": "*m.D",
    "'D'": "m.D",
    "'D | None'": "*m.D",
    "list['D']": "[]m.D",
    "list[str] | None": "[]string",
    "dict[str, str] | None": "map[string]string",
    "bytes | None": "[]uint8",
    "Any | None": "interface{}",
    "Names | None": "m.Names",
    "Name | None": "*m.Name",
    "Old": "string",
    "int | str": "k8s.io/apimachinery/pkg/util/intstr.IntOrString",
    "str | int | None": "*k8s.io/apimachinery/pkg/util/intstr.IntOrString",
    "datetime.datetime": f"{META}.Time",
    "datetime.timedelta": f"{META}.Duration",
    "meta.Quantity": "k8s.io/apimachinery/pkg/api/resource.Quantity",
    "ObjectMeta": f"{META}.ObjectMeta",
    "typing.Final[str]": "string",
    "uuid.Other": "uuid.Other",  # of a module that is not at hand: any value is accepted, with a warning when asked
}


@each(("annotation", "want"), TYPES.items())
def test_types(read: Reader, annotation: str, want: str | None) -> None:
    found = read(
        f"@dataclass\nclass D: ...\n\nNames: TypeAlias = list[str]\nName = NewType('Name', str)\nOld = str\n\n"
        f"@dataclass\nclass C:\n    x: {annotation}\n"
    )
    if want is None:
        assert found.problems
        return
    assert field_of(found)[0].lstrip(".") == want
    assert found.problems == []


@each(
    ("annotation", "message", "help"),
    [
        ("set[str]", "`set[str]` has no counterpart in JSON", 'write list[…] with ListType("set")'),
        ("frozenset", "`frozenset` has no counterpart in JSON", 'write list[…] with ListType("set")'),
        ("tuple[int, ...]", "`tuple[int, ...]` has no counterpart in JSON", "write list[…]"),
        ("complex", "`complex` has no counterpart in JSON", "write float"),
        (
            "decimal.Decimal",
            "`decimal.Decimal` has no counterpart in JSON",
            "write Quantity of validation_gen.types.meta",
        ),
        ("str | bool", "`str | bool`: a value has one type in an API", None),
        ("None", "None alone is no type", "write str | None, or the type that it has"),
        ("Literal[1, 3]", "`Literal[1, 3]`: only strings have legal values of their own", None),
        ("Box[int]", "`Box[int]` is generic, and the types of an API are not", "declare a class for each of its uses"),
        ("strr", "`strr` is not defined in this module", "did you mean str?"),
        ("5", "`5` is no type", None),
        ("'not a type'", "`not a type` is no type", "write the name of a class in the quotes"),
        ("f()", "`f()` is no type", None),
        ("Plain", "the class `Plain` has no fields that could be read", "make it a dataclass"),
        ("meta.ObjectMetta", "validation_gen.types.meta has no `ObjectMetta`", "did you mean ObjectMeta?"),
        ("Int32", "`Int32` is no type of its own", "write Annotated[int, Int32]"),
        ("Annotated[str, Int32]", "Int32 narrows int only", "take it away, or change the type"),
        ("Annotated[str, MaxLength('x')]", None, None),
        ("Annotated[str, MaxLength(n)]", "`n` is no literal", "write the value itself"),
        ("Loop", "the annotation never ends", "write its parts out"),
        ("string", "`string` is not defined in this module", "did you mean str?"),
        ("List[str]", "`List` is not defined in this module", "from typing import List"),
        ("Quantity", "`Quantity` is not defined in this module", "from validation_gen.types.meta import Quantity"),
        ("apps.v1.Pod", "`apps` is not defined in this module", "import it, or declare it"),
        ("Annotated[str, MinLength(3)]", "`MinLength` is not defined in this module", None),
        ("Annotated[str, MaxLenght(3)]", "`MaxLenght` is not defined in this module", "did you mean MaxLength?"),
        (
            "Annotated[str, Json(3)]",
            "Json: name must be a string, not 3",
            'write Json("podIPs"), or as well go="PodIPs" and omit="omitempty"',
        ),
        ("Annotated[str, Json(go='podIPs')]", "Json: go must be an exported name, not 'podIPs'", None),
        (
            "Annotated[str, Json(omit='empty')]",
            "Json: omit must be one of omitempty, omitzero, never, not 'empty'",
            None,
        ),
        ("dict[str]", "`dict[str]` has not the parts of its type", "write dict[str, T]"),
        ("Opt[str]", "`Opt[str]` has not the parts of its type", None),
        ("Annotated", "`Annotated` has no counterpart in JSON", "write Annotated[T, …]"),
        ("Inner", "`Inner` is not defined in this module", "move it out of Plain, to the top of the module"),
        ("Plain.Inner", "`Plain.Inner` is inside of a class", "declare Inner at the top of the module"),
    ],
)
def test_refusals(read: Reader, annotation: str, message: str | None, help: str | None) -> None:
    found = read(
        "class Box(typing.Generic[typing.TypeVar('T')]): ...\nclass Plain:\n    class Inner: ...\nLoop = 'Loop'\n\n"
        f"@dataclass\nclass C:\n    x: {annotation}\n"
    )
    ((code, text, advice),) = found.problems
    assert code == "VG106"
    assert message is None or text == message
    assert advice if help is None else advice == help
    assert found.places[0].startswith("m.py:")


@each(
    ("annotation", "tags"),
    [
        ("Annotated[str, MaxLength(5)]", ["+k8s:maxLength=5"]),
        ("Annotated[str, Required, Format('k8s-uuid')]", ["+k8s:required", '+k8s:format="k8s-uuid"']),
        ("Annotated[str, MaxLength(5)] | None", ["+k8s:maxLength=5"]),
        ("list[Annotated[str, MaxLength(5)]]", ["+k8s:eachVal=+k8s:maxLength=5"]),
        (
            "dict[Annotated[str, MaxLength(5)], Annotated[int, Minimum(1)]]",
            ["+k8s:eachKey=+k8s:maxLength=5", "+k8s:eachVal=+k8s:minimum=1"],
        ),
        ("Annotated[list[str], EachVal(MaxLength(value=5)), MaxItems(2)]", None),
        ("Annotated[list[D], Item(Required(), name='a')]", ['+k8s:item(name: "a")=+k8s:required']),
        ("Annotated[str, 'documentation', print]", []),
        ("Annotated[str, MaxLength(LIMIT)]", ["+k8s:maxLength=63"]),
    ],
)
def test_values_become_tags(read: Reader, annotation: str, tags: list[str] | None) -> None:
    head = "LIMIT = 63\n@dataclass\nclass D:\n    name: str\n"
    found = read(f"{head}\n@dataclass\nclass C:\n    x: {annotation}\n")
    if tags is not None:
        assert field_of(found)[1] == tags
        assert found.problems == []


def test_literals_are_enums(read: Reader) -> None:
    found = read("Mode: TypeAlias = Literal['a', 'b']\n@dataclass\nclass C:\n    x: Mode\n    y: Literal['c', None]\n")
    assert field_of(found) == ("m.Mode", [])
    assert field_of(found, index=1) == ("*m.CY", [])
    package = found.universe.packages["m"]
    assert [(str(c.type), c.value) for c in package.constants] == [("m.CY", "c"), ("m.Mode", "a"), ("m.Mode", "b")]
    for name in ("Mode", "CY"):
        assert [line.text for line in package.types[name].closest] == ["+k8s:enum"]
