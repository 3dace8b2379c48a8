"""Types of Python's own library in an API, and helps for annotations that are not understood."""

from __future__ import annotations

from validation_gen import tags, types
from validation_gen.sources.model import META, TIME, Builtin, Interface, List, Named, TypeExpr
from validation_gen.tags.suggestions import probable
from validation_gen.types.meta import GO_TYPES

SCALARS: dict[str, TypeExpr] = {
    "builtins.str": Builtin("string"),
    "builtins.int": Builtin("int64"),
    "builtins.bool": Builtin("bool"),
    "builtins.float": Builtin("float64"),
    "builtins.bytes": List(Builtin("uint8")),
    "builtins.object": Interface(),
    "typing.Any": Interface(),
    "datetime.datetime": TIME,
    "datetime.timedelta": Named(META, "Duration"),
}
LISTS = {"builtins.list", "typing.List", "typing.Sequence", "typing.MutableSequence"}
MAPS = {"builtins.dict", "typing.Dict", "typing.Mapping", "typing.MutableMapping"}
WRAPPERS = {"typing.Final", "typing.Required", "typing.NotRequired", "typing.ReadOnly"}
WIDTHS = "Int Int8 Int16 Int32 Int64 Uint8 Uint16 Uint32 Uint64 Float32 Float64".split()


#: Common annotations, and their supported replacements.
ADVICE = {
    "builtins.set": 'write list[…] with ListType("set")',
    "builtins.frozenset": 'write list[…] with ListType("set")',
    "typing.Set": 'write list[…] with ListType("set")',
    "typing.AbstractSet": 'write list[…] with ListType("set")',
    "typing.FrozenSet": 'write list[…] with ListType("set")',
    "builtins.tuple": "write list[…]",
    "typing.Tuple": "write list[…]",
    "typing.NamedTuple": "write a dataclass",
    "typing.Iterable": "write list[…]",
    "typing.Collection": "write list[…]",
    "builtins.complex": "write float",
    "builtins.bytearray": "write bytes",
    "decimal.Decimal": "write Quantity of validation_gen.types.meta",
    "fractions.Fraction": "write Quantity of validation_gen.types.meta",
    "uuid.UUID": 'write Annotated[str, Format("k8s-uuid")]',
    "datetime.date": "write datetime.datetime",
    "datetime.time": "write str",
    "pathlib.Path": "write str",
    "ipaddress.IPv4Address": 'write Annotated[str, Format("k8s-ip")]',
    "ipaddress.IPv6Address": 'write Annotated[str, Format("k8s-ip")]',
    "re.Pattern": "write str",
    "typing.Pattern": "write str",
    "typing.AnyStr": "write str",
    "typing.LiteralString": "write str",
    "typing.Self": "write the name of the class in quotes",
    "typing.Callable": "leave it out, or begin its name with an underscore",
    "typing.Type": "leave it out, or begin its name with an underscore",
    "builtins.type": "leave it out, or begin its name with an underscore",
    "pydantic.conset": 'write list[…] with ListType("set")',
    "pydantic.confrozenset": 'write list[…] with ListType("set")',
    "pydantic.condecimal": "write Quantity of validation_gen.types.meta",
    "pydantic.condate": "write datetime.datetime",
}
#: Help for the brackets after a name.
PARTS = {
    **dict.fromkeys(LISTS, "write list[T], with one type"),
    **dict.fromkeys(MAPS, "write dict[str, T]"),
    "typing.Annotated": "write Annotated[T, …]",
    "typing.Optional": "write T | None",
    "validation_gen.tags.Optional": "write T | None for the type; the tag is for Annotated[T, Optional]",
    "validation_gen.tags.Required": "write Annotated[T, Required]",
}
#: Modules of names that are often used without an import.
_HOMES = {
    **dict.fromkeys(GO_TYPES, "validation_gen.types.meta"),
    **dict.fromkeys(types.__all__, "validation_gen.types"),
    **dict.fromkeys(
        "Annotated Any ClassVar Dict List Literal Mapping NewType Sequence TypeAlias Union".split(), "typing"
    ),
    "Enum": "enum",
    "datetime": "datetime",
    "timedelta": "datetime",
}
_BUILTINS = ["str", "bool", "int", "float", "bytes", "list", "dict"]
#: Python's types by their names in JSON Schema and Go.
_FOREIGN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "array": "list", "object": "dict"}


def undefined(name: str, names: list[str]) -> str:
    """Returns the help for an undefined name of a module. `names` are the defined ones."""
    if name in _HOMES:
        return f"from {_HOMES[name]} import {name}"
    near = _FOREIGN.get(name) or probable(name, [*_BUILTINS, *names])
    return f"did you mean {near}?" if near else "import it, or declare it"


def undefined_tag(name: str) -> str:
    """Returns the help for an undefined name beside a type; empty unless it looks like one of ours."""
    if name in tags.VOCABULARY or name in types.__all__:
        home = "tags" if name in tags.VOCABULARY else "types"
        return f"from validation_gen.{home} import {name}"
    near = probable(name, [*tags.VOCABULARY, *types.__all__])
    return f"did you mean {near}?" if near else ""


def advice(help: str, text: str) -> str:
    """Returns the help itself, or that for the full name; at least the most similar type."""
    if " " in help:
        return help
    if help in ADVICE:
        return ADVICE[help]
    near = probable(text.rpartition(".")[2], [*_BUILTINS, "Any", *GO_TYPES])
    return f"did you mean {near}?" if near else "write a type of docs/python.md, or Any if every value is legal"
