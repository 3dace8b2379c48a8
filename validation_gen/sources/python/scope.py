"""Names in a Python module: its own declarations, imports, and the modules behind them."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from validation_gen import tags, types
from validation_gen.sources.python.finder import ModuleSource
from validation_gen.sources.python.syntax import PythonFile
from validation_gen.types.meta import GO_TYPES

_MOST_HOPS = 20  # re-exports of re-exports; also ends circular imports

#: Packages with several names.
_SYNONYMS = {
    "typing_extensions": "typing",
    "collections.abc": "typing",
    "attr": "attrs",
    "pydantic.types": "pydantic",
    "pydantic.fields": "pydantic",
}
_BASES_OF_STRUCTS = {"msgspec.Struct", "pydantic.BaseModel"}
_DECORATORS_OF_STRUCTS = {
    "attrs.define",
    "attrs.frozen",
    "attrs.mutable",
    "attrs.dataclass",
    "attrs.attrs",
    "attrs.s",
    "dataclasses.dataclass",
    "pydantic.dataclasses.dataclass",
}
#: Calls that make a type when a module assigns them to a name.
_CALLS_OF_TYPES = {f"pydantic.{name}" for name in ("conbytes", "confloat", "conint", "conlist", "constr")}
#: Names from `from … import *` of modules that are not read.
_STARS = {
    "attrs": {"Factory", "define", "field", "frozen", "mutable"},
    "dataclasses": {"InitVar", "KW_ONLY", "dataclass", "field"},
    "datetime": {"date", "datetime", "time", "timedelta"},
    "enum": {"Enum", "Flag", "IntEnum", "IntFlag", "StrEnum", "auto"},
    "annotated_types": set("Ge Gt Interval Le Len Lt MaxLen MinLen MultipleOf Not Predicate Timezone Unit".split()),
    "attrs.validators": set(
        "and_ deep_iterable deep_mapping ge gt in_ instance_of is_callable le lt matches_re max_len min_len not_ "
        "optional or_ subclass_of".split()
    ),
    "pydantic": set(
        "BaseModel Field NegativeFloat NegativeInt NonNegativeFloat NonNegativeInt NonPositiveFloat NonPositiveInt "
        "PositiveFloat PositiveInt StrictBool StrictBytes StrictFloat StrictInt StrictStr StringConstraints conbytes "
        "confloat conint conlist constr".split()
    ),
    "typing": set(
        "Annotated Any AnyStr Callable ClassVar Collection Dict Final FrozenSet Generic Iterable List Literal "
        "LiteralString Mapping MutableMapping MutableSequence NamedTuple NewType NotRequired Optional Pattern Protocol "
        "ReadOnly Required Self Sequence Set Tuple Type TypeAlias TypedDict TypeVar Union".split()
    ),
    "validation_gen.tags": set(tags.VOCABULARY),
    "validation_gen.types": set(types.__all__),
    "validation_gen.types.meta": set(GO_TYPES),
}
_BASES_OF_ENUMS = {"enum.Enum", "enum.StrEnum", "enum.IntEnum", "enum.Flag", "enum.IntFlag"}


@dataclass(frozen=True, slots=True)
class Meaning:
    """Meaning of a name: a declaration of a found module, or something else by its full name."""

    name: str
    scope: ModuleScope | None = None
    node: ast.ClassDef | ast.expr | None = None


@dataclass(eq=False, slots=True)
class ModuleScope:
    """The names of one module. `find` returns the scope of another module by its dotted name."""

    source: ModuleSource
    file: PythonFile
    find: Callable[[str, ModuleSource], ModuleScope | None]
    classes: dict[str, ast.ClassDef] = field(default_factory=dict)
    #: Names that are assigned once, with their values.
    values: dict[str, ast.expr] = field(default_factory=dict)
    #: The statements in which they are assigned.
    assignments: dict[str, ast.Assign | ast.AnnAssign] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)
    #: Modules with star imports, the last one first.
    stars: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        for statement in _statements(self.file.tree.body):
            if isinstance(statement, ast.ClassDef):
                self.classes[statement.name] = statement
            elif isinstance(statement, ast.Import | ast.ImportFrom):
                self._add_import(statement)
            elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
                target = statement.targets[0]
                if isinstance(target, ast.Name):
                    self.values[target.id] = statement.value
                    self.assignments[target.id] = statement
            elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and statement.value:
                self.values[statement.target.id] = statement.value
                self.assignments[statement.target.id] = statement

    def _add_import(self, statement: ast.Import | ast.ImportFrom) -> None:
        if isinstance(statement, ast.Import):
            for name in statement.names:
                self.imports[name.asname or name.name.partition(".")[0]] = (
                    name.name if name.asname else name.name.partition(".")[0]
                )
            return
        base = statement.module or ""
        if statement.level:
            parts = self.source.dotted.split(".") if self.source.dotted else []
            up = statement.level - 1 if self.source.is_package else statement.level
            base = ".".join([*parts[: len(parts) - up], *([base] if base else [])])
        for name in statement.names:
            if name.name == "*":
                self.stars.insert(0, _SYNONYMS.get(base, base))
                continue
            self.imports[name.asname or name.name] = f"{base}.{name.name}" if base or statement.level else name.name

    def names(self) -> list[str]:
        """Returns all names of the module."""
        return [*self.classes, *self.imports, *self.values]

    def knows(self, name: str) -> bool:
        """Returns whether a name is declared, imported, or part of Python."""
        return self._declared(name) is not None or hasattr(builtins, name)

    # --- names ------------------------------------------------------------------------------------------------------

    def meaning(self, expression: ast.expr) -> Meaning:
        """Returns the meaning of a name or dotted name; the text of other expressions."""
        match expression:
            case ast.Name(id=name):
                return self._own(name)
            case ast.Attribute(value=value, attr=attribute):
                outer = self.meaning(value)
                if outer.scope is not None and outer.node is None and (found := outer.scope._declared(attribute)):
                    return found
                return self._of_full_name(f"{outer.name}.{attribute}")
        return Meaning(ast.unparse(expression))

    def _own(self, name: str) -> Meaning:
        found = self._declared(name)
        if found is not None:
            return found
        if hasattr(builtins, name):
            return Meaning(f"builtins.{name}")
        unread = [star for star in self.stars if star not in _STARS and self.find(star, self.source) is None]
        return Meaning(f"{unread[0]}.{name}" if unread else name)

    def _declared(self, name: str, hops: int = 0, passed: set[str] | None = None) -> Meaning | None:
        """Returns the meaning of a name of this module, `None` if it has no such name.

        `passed` are the modules already visited, as star imports may be circular.
        """
        if name in self.classes:
            return Meaning(f"{self.source.dotted}.{name}", self, self.classes[name])
        if name in self.imports:
            return self._of_full_name(self.imports[name], hops)
        if name in self.values:
            return Meaning(f"{self.source.dotted}.{name}", self, self.values[name])
        passed = {self.source.path} if passed is None else passed
        for star in () if name.startswith("_") else self.stars:
            if star in _STARS:
                if name in _STARS[star]:
                    return Meaning(f"{star}.{name}")
                continue
            module = self.find(star, self.source)
            if module is None or module.source.path in passed:
                continue
            passed.add(module.source.path)
            if found := module._declared(name, hops, passed):
                return found
        return None

    def _of_full_name(self, name: str, hops: int = 0) -> Meaning:
        for package, synonym in _SYNONYMS.items():
            if name.startswith(f"{package}."):
                name = f"{synonym}.{name.removeprefix(f'{package}.')}"
        if name.startswith("validation_gen.") or hops > _MOST_HOPS:
            return Meaning(name)
        module, _, last = name.rpartition(".")
        own: ModuleScope | None = None
        if "." in name:  # without a module before the dot, it is the package that a `--module` names
            own = self if module == self.source.dotted else self.find(module, self.source)
        if own is not None and (found := own._declared(last, hops + 1)):
            return found
        return Meaning(name, self.find(name, self.source))

    # --- kinds of classes -------------------------------------------------------------------------------------------

    def is_struct(self, node: ast.ClassDef, hops: int = 0) -> bool:
        """Returns whether a class has fields: by its decorator, or by its bases."""
        decorators = (d.func if isinstance(d, ast.Call) else d for d in node.decorator_list)
        if any(self.meaning(d).name in _DECORATORS_OF_STRUCTS for d in decorators):
            return True
        return any(self._is_struct_base(base, hops) for base in node.bases)

    def _is_struct_base(self, base: ast.expr, hops: int) -> bool:
        meaning = self.meaning(base)
        if isinstance(meaning.node, ast.ClassDef) and meaning.scope is not None:
            return hops < _MOST_HOPS and meaning.scope.is_struct(meaning.node, hops + 1)
        return meaning.name in _BASES_OF_STRUCTS or meaning.name.startswith("validation_gen.types.meta.")

    def is_enum(self, node: ast.ClassDef, hops: int = 0) -> bool:
        for base in node.bases:
            meaning = self.meaning(base)
            if meaning.name in _BASES_OF_ENUMS:
                return True
            if isinstance(meaning.node, ast.ClassDef) and meaning.scope is not None and hops < _MOST_HOPS:
                return meaning.scope.is_enum(meaning.node, hops + 1)
        return False

    def is_type(self, name: str) -> bool:
        """Returns whether a name of this module is declared as a type."""
        if name in self.classes:
            node = self.classes[name]
            return self.is_struct(node) or self.is_enum(node)
        return self.find_alias(name) is not None

    def find_alias(self, name: str) -> ast.expr | None:
        """Returns the type that a name of this module is an alias of, `None` if it is no alias."""
        statement = self.assignments.get(name)
        if statement is None or statement.value is None:
            return None
        value = statement.value
        if isinstance(statement, ast.AnnAssign):
            return value if self.meaning(statement.annotation).name == "typing.TypeAlias" else None
        if isinstance(value, ast.Call):
            name = self.meaning(value.func).name
            if name in _CALLS_OF_TYPES:
                return value
            return value.args[1] if name == "typing.NewType" and len(value.args) == 2 else None
        if statement.lineno in self.file.aliases:
            return value
        is_annotated = isinstance(value, ast.Subscript) and self.meaning(value.value).name == "typing.Annotated"
        return value if is_annotated else None


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yields the statements at the top of a module, also conditional ones."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.If):
            yield from _statements(statement.body)
            yield from _statements(statement.orelse)
        elif isinstance(statement, ast.Try):
            yield from _statements(statement.body)
            for handler in statement.handlers:
                yield from _statements(handler.body)
