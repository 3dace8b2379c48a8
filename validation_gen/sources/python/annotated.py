"""Content of an annotation: a type, its tags, and the constraints of other libraries, which become tags.

Types of Python's own library have a meaning in an API; annotations that are not understood get a help.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from validation_gen import tags, types
from validation_gen.diagnostics import Diagnostic, Severity
from validation_gen.sources.model import (
    META,
    TIME,
    Builtin,
    Interface,
    List,
    Map,
    Named,
    Pointer,
    TypeExpr,
    Unsupported,
    pointee,
)
from validation_gen.sources.python.constraints import Constraint
from validation_gen.sources.python.constrainttags import ConditionalFinding, Target, translate
from validation_gen.sources.python.defaults import Default
from validation_gen.tags.model import CommentLine
from validation_gen.tags.suggestions import did_you_mean, probable
from validation_gen.types import Json
from validation_gen.types.meta import GO_TYPES


@dataclass(slots=True)
class Annotation:
    """Content of an annotation.

    Attributes:
        tags: the tags in the order of their values.
        derived: the tags from constraints of other libraries.
        constraints: those that have not become tags yet; they are about the value itself, not about its items.
        findings: findings about constraints.
        nullable: whether `None` is a value.
        default: the other arguments of a `Field(…)` among its values.
    """

    type: TypeExpr
    tags: list[CommentLine] = field(default_factory=list)
    json: Json | None = None
    inline: bool = False
    derived: list[CommentLine] = field(default_factory=list)
    constraints: list[Constraint] = field(default_factory=list)
    findings: list[ConditionalFinding] = field(default_factory=list)
    nullable: bool = False
    default: Default | None = None

    def take_part(self, wrapper: str, part: Annotation) -> None:
        """Wraps the tags of a part as tags of the whole."""
        self.tags += _chain(wrapper, part.tags)
        self.derived += _chain(wrapper, part.derived)
        self.findings += part.findings


@dataclass(slots=True)
class Settling:
    """Translates constraints to tags.

    `underlying` returns the type below the names of a type, with the constraints on the way; `declare` makes an enum of
    the options of a string and returns its type.
    """

    underlying: Callable[[TypeExpr], tuple[TypeExpr | None, list[Constraint]]]
    declare: Callable[[Sequence[ast.expr]], TypeExpr]

    def settle(self, found: Annotation) -> None:
        if isinstance(pointee(found.type), Unsupported):
            return  # already reported
        native, inherited = self.underlying(pointee(found.type))
        target = Target(native, found.nullable)
        plain: list[Constraint] = []
        for constraint in found.constraints:
            if constraint.kind in ("each_val", "each_key") and isinstance(constraint.value, tuple):
                self._part(found, target, constraint)
            elif constraint.kind == "in" and isinstance(constraint.value, tuple):
                plain += self._options(found, target, constraint)
            else:
                plain.append(constraint)
        translated = translate(target, plain)
        found.derived += translated.tags
        found.findings += [*translated.findings, *_disagreements(plain, inherited)]

    def _part(self, found: Annotation, target: Target, constraint: Constraint) -> None:
        """Adds constraints of the items of a list, or of the keys or values of a map."""
        assert isinstance(constraint.value, tuple)
        native = target.native
        if isinstance(native, Map):
            part = Annotation(native.key if constraint.kind == "each_key" else native.elem)
        elif isinstance(native, List) and constraint.kind == "each_val":
            part = Annotation(native.elem)
        else:
            found.findings += translate(target, [replace(constraint, kind="")]).findings
            return
        before = part.type
        part.nullable = isinstance(before, Pointer)
        part.constraints = list(constraint.value)
        self.settle(part)
        if part.type != before and isinstance(found.type, List):
            found.type = List(part.type)
        elif part.type != before and isinstance(found.type, Map) and constraint.kind == "each_val":
            found.type = Map(found.type.key, part.type)
        found.take_part("eachKey" if constraint.kind == "each_key" else "eachVal", part)
        if target.nullable and not constraint.passes_none:
            found.findings += translate(target, [replace(constraint, kind="min_length", value=0)]).findings

    def _options(self, found: Annotation, target: Target, constraint: Constraint) -> list[Constraint]:
        """Returns the remaining constraints of a list of options: an enum for strings, bounds for integers."""
        assert isinstance(constraint.value, tuple)
        options = [item for item in constraint.value if item is not None]
        if target.family == "string" and options and all(isinstance(option, str) for option in options):
            place = ast.Constant(None, lineno=constraint.span.line, col_offset=0)
            made = self.declare([ast.copy_location(ast.Constant(option), place) for option in options])
            found.type = Pointer(made) if isinstance(found.type, Pointer) else made
            return []
        if target.family == "int" and (bounds := find_bounds(options)):
            return [
                replace(constraint, kind=kind, value=value) for kind, value in zip(("ge", "le"), bounds, strict=True)
            ]
        return [replace(constraint, kind="")]


def find_bounds(options: Sequence[object]) -> tuple[int, int] | None:
    """Returns the least and the greatest of integers without a gap, `None` for other options."""
    if len(options) == 1 and isinstance(options[0], range):
        return options[0][0], options[0][-1]
    numbers = [option for option in options if isinstance(option, int) and not isinstance(option, bool)]
    if not numbers or len(numbers) < len(options):
        return None
    numbers = sorted(set(numbers))
    if numbers[-1] - numbers[0] + 1 != len(numbers):
        return None
    return numbers[0], numbers[-1]


def _disagreements(constraints: Sequence[Constraint], inherited: Sequence[Constraint]) -> list[ConditionalFinding]:
    """Returns findings about constraints that differ from those of the named type.

    Libraries check only one of both constraints, tags check both.
    """
    found = []
    for constraint in constraints:
        for other in inherited:
            if other.kind == constraint.kind and other.value != constraint.value:
                message = f"`{constraint.text}` says something else than `{other.text}` of its type"
                help = "take one of them away"
                found.append(ConditionalFinding(Diagnostic("VG106", Severity.ERROR, message, constraint.span, help)))
    return found


def _chain(wrapper: str, tags: list[CommentLine]) -> list[CommentLine]:
    """Returns tags of a part as tags of the whole."""
    return [CommentLine(f"+k8s:{wrapper}={line.text}", line.span, literal=False) for line in tags]


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


def help_with_undefined(name: str, names: list[str]) -> str:
    """Returns the help for an undefined name of a module. `names` are the defined ones."""
    if name in _HOMES:
        return f"from {_HOMES[name]} import {name}"
    near = _FOREIGN.get(name) or probable(name, [*_BUILTINS, *names])
    return f"did you mean {near}?" if near else "import it, or declare it"


def help_with_undefined_tag(name: str) -> str:
    """Returns the help for an undefined name beside a type; empty unless it looks like one of ours."""
    if name in tags.VOCABULARY or name in types.__all__:
        home = "tags" if name in tags.VOCABULARY else "types"
        return f"from validation_gen.{home} import {name}"
    return did_you_mean(name, [*tags.VOCABULARY, *types.__all__])


def advice(help: str, text: str) -> str:
    """Returns the help itself, or that for the full name; at least the most similar type."""
    if " " in help:
        return help
    if help in ADVICE:
        return ADVICE[help]
    otherwise = "write a type that `validation-gen explain VG106` lists, or Any if every value is legal"
    return did_you_mean(text.rpartition(".")[2], [*_BUILTINS, "Any", *GO_TYPES], otherwise)
