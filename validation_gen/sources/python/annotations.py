"""Reads annotations: from `Annotated[list[str], MaxItems(2)] | None` to a type and its tags."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from validation_gen.diagnostics import Diagnostic, Severity, Span
from validation_gen.sources.model import (
    INT_OR_STRING,
    Builtin,
    Interface,
    List,
    Map,
    Named,
    Pointer,
    TypeExpr,
    Unsupported,
)
from validation_gen.sources.python.annotated import (
    ADVICE,
    LISTS,
    MAPS,
    PARTS,
    SCALARS,
    WIDTHS,
    WRAPPERS,
    Annotation,
    Settling,
    advice,
    find_bounds,
    help_with_undefined,
    help_with_undefined_tag,
)
from validation_gen.sources.python.constraints import TYPE_CALLS, TYPE_NAMES, Constraint, read_constraints
from validation_gen.sources.python.defaults import NotLiteralError, read_default, tag_value
from validation_gen.sources.python.scope import Meaning, ModuleScope
from validation_gen.sources.python.syntax import is_none
from validation_gen.tags.model import CommentLine
from validation_gen.tags.suggestions import did_you_mean
from validation_gen.types import Json
from validation_gen.types.meta import GO_TYPES

_MOST_LEVELS = 50
_TYPES = "validation_gen.types."


@dataclass(slots=True)
class AnnotationReader:
    """Reads the annotations of one module.

    `module` finds other modules by their import paths; `report` takes findings; `declare` makes a type of its own for a
    `Literal` and returns its name.
    """

    scope: ModuleScope
    module: Callable[[str], ModuleScope | None]
    report: Callable[[Diagnostic], None]
    declare: Callable[[str, ast.expr], str]

    def read(self, expression: ast.expr, name: str = "") -> Annotation:
        """Reads the annotation of a field or alias. `name`: the name for a new type, if the annotation needs one."""
        return _Reading(self, name).read(self.scope, expression)

    def settle(self, found: Annotation, name: str, place: ast.expr | ast.stmt) -> None:
        """Translates the remaining constraints of other libraries to tags."""
        _Reading(self, name).settle(found, place)


@dataclass(slots=True)
class _Reading:
    """State while one annotation is read. Names in it can refer to other modules, so `read` gets the scope."""

    reader: AnnotationReader
    name: str
    level: int = 0

    def read(self, scope: ModuleScope, expression: ast.expr) -> Annotation:
        self.level += 1
        try:
            if self.level > _MOST_LEVELS:
                return self._refuse(scope, expression, "the annotation never ends", "write its parts out")
            return self._read(scope, expression)
        finally:
            self.level -= 1

    def _read(self, scope: ModuleScope, expression: ast.expr) -> Annotation:
        match expression:
            case ast.Constant(value=None):
                return self._union(scope, expression, [expression])
            case ast.Constant(value=str(text)):
                return self._quoted(scope, expression, text)
            case ast.BinOp(op=ast.BitOr()):
                return self._union(scope, expression, _alternatives(expression))
            case ast.Name() | ast.Attribute():
                return self._named(scope, expression)
            case ast.Call(func=function) if self._is_type_call(scope, function):
                return self._called(scope, expression)
            case ast.Subscript(value=value, slice=inside):
                items = inside.elts if isinstance(inside, ast.Tuple) else [inside]
                return self._subscript(scope, expression, scope.meaning(value), items)
        help = scope.meaning(expression.func).name if isinstance(expression, ast.Call) else ""
        return self._refuse(scope, expression, f"`{scope.file.text(expression)}` is no type", help)

    def _quoted(self, scope: ModuleScope, expression: ast.Constant, text: str) -> Annotation:
        """Reads a forward reference. All its parts have the position of the string."""
        try:
            inner = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return self._refuse(scope, expression, f"`{text}` is no type", "write the name of a class in the quotes")
        for node in ast.walk(inner):
            for attribute in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
                if hasattr(node, attribute):
                    setattr(node, attribute, getattr(expression, attribute))
        return self.read(scope, inner)

    @staticmethod
    def _is_type_call(scope: ModuleScope, function: ast.expr) -> bool:
        package, _, name = scope.meaning(function).name.rpartition(".")
        return package == "pydantic" and name in TYPE_CALLS

    def _called(self, scope: ModuleScope, call: ast.Call) -> Annotation:
        """Reads a pydantic type made by a call, such as `constr(max_length=5)`."""
        base = TYPE_CALLS[scope.meaning(call.func).name.rpartition(".")[2]]
        if base == "list":
            given = {keyword.arg: keyword.value for keyword in call.keywords}
            item = call.args[0] if call.args else given.get("item_type")
            if item is None:
                return self._refuse(
                    scope, call, f"`{scope.file.text(call)}` has no type of its items", PARTS["builtins.list"]
                )
            found = self._list(self.read(scope, item), item)
        else:
            found = Annotation(SCALARS[f"builtins.{base}"])
        found.constraints += read_constraints(scope, call)
        return found

    def _list(self, item: Annotation, place: ast.expr) -> Annotation:
        self.settle(item, place)
        found = Annotation(List(item.type))
        found.take_part("eachVal", item)
        return found

    def settle(self, found: Annotation, place: ast.expr | ast.stmt) -> None:
        def declare(options: Sequence[ast.expr]) -> TypeExpr:
            located = [ast.copy_location(option, place) for option in options]
            literal = ast.Subscript(ast.Name("Literal"), ast.Tuple(list(located)))
            return self._enum(ast.copy_location(literal, place))

        Settling(self._underlying, declare).settle(found)
        found.constraints = []

    # --- names ------------------------------------------------------------------------------------------------------

    def _named(self, scope: ModuleScope, expression: ast.Name | ast.Attribute) -> Annotation:
        meaning = scope.meaning(expression)
        if meaning.scope is not None and meaning.node is not None:
            return self._declared(scope, expression, meaning.scope, meaning)
        name = meaning.name
        if name in SCALARS:
            return Annotation(SCALARS[name])
        if name in LISTS:
            return Annotation(List(Interface()))
        if name in MAPS:
            return Annotation(Map(Builtin("string"), Interface()))
        if name.startswith("pydantic.") and (base := TYPE_NAMES.get(name.removeprefix("pydantic."))):
            text, span = scope.file.text(expression), scope.file.span(expression)
            bounds = [Constraint(kind, 0, text, span, "pydantic") for kind in base[1:] if kind]
            return Annotation(SCALARS[f"builtins.{base[0]}"], constraints=bounds)
        if name.startswith(f"{_TYPES}meta."):
            return self._wellknown(scope, expression, name.removeprefix(f"{_TYPES}meta."))
        if name in ADVICE or name.startswith(("builtins.", "typing.")):
            help = PARTS.get(name, name)
            return self._refuse(scope, expression, f"`{scope.file.text(expression)}` has no counterpart in JSON", help)
        if name.removeprefix(_TYPES) in WIDTHS:
            help = f"write Annotated[{'float' if 'Float' in name else 'int'}, {scope.file.text(expression)}]"
            return self._refuse(scope, expression, f"`{scope.file.text(expression)}` is no type of its own", help)
        if isinstance(expression, ast.Attribute) and isinstance(scope.meaning(expression.value).node, ast.ClassDef):
            help = f"declare {expression.attr} at the top of the module"
            return self._refuse(scope, expression, f"`{scope.file.text(expression)}` is inside of a class", help)
        module, _, last = name.rpartition(".")
        first = next(node for node in ast.walk(expression) if isinstance(node, ast.Name)) if module else expression
        if scope.meaning(first).name.isidentifier() and not scope.knows(ast.unparse(first)):
            return self._refuse_undefined(scope, expression, ast.unparse(first))
        return Annotation(Named(module.replace(".", "/"), last, scope.file.span(expression)))

    def _declared(self, scope: ModuleScope, expression: ast.expr, owner: ModuleScope, meaning: Meaning) -> Annotation:
        name = meaning.name.rpartition(".")[2]
        if owner.is_type(name):
            return Annotation(Named(owner.source.path, name, scope.file.span(expression)))
        if isinstance(meaning.node, ast.ClassDef):
            message = f"the class `{name}` has no fields that could be read"
            return self._refuse(scope, expression, message, "make it a dataclass")
        assert meaning.node is not None
        return self.read(owner, meaning.node)

    def _wellknown(self, scope: ModuleScope, expression: ast.expr, name: str) -> Annotation:
        if name not in GO_TYPES:
            help = did_you_mean(name, GO_TYPES)
            return self._refuse(scope, expression, f"validation_gen.types.meta has no `{name}`", help)
        package, go = GO_TYPES[name]
        return Annotation(Named(package, go, scope.file.span(expression)))

    # --- generic types and unions -----------------------------------------------------------------------------------

    def _subscript(
        self, scope: ModuleScope, expression: ast.Subscript, outer: Meaning, items: list[ast.expr]
    ) -> Annotation:
        name = outer.name
        if name == "typing.Annotated" and items:
            found = self.read(scope, items[0])
            for value in items[1:]:
                self._metadata(scope, value, found)
            return found
        if name == "typing.Optional" and len(items) == 1:
            return self._union(scope, expression, [items[0], ast.Constant(None)])
        if name == "typing.Union":
            return self._union(scope, expression, [part for item in items for part in _alternatives(item)])
        if name in WRAPPERS and len(items) == 1:
            return self.read(scope, items[0])
        if name in LISTS and len(items) == 1:
            return self._list(self.read(scope, items[0]), items[0])
        if name in MAPS and len(items) == 2:
            key, inner = self.read(scope, items[0]), self.read(scope, items[1])
            self.settle(key, items[0])
            self.settle(inner, items[1])
            found = Annotation(Map(key.type, inner.type))
            found.take_part("eachKey", key)
            found.take_part("eachVal", inner)
            return found
        if name == "typing.Literal":
            return self._literal(scope, expression, items)
        if outer.node is not None:
            message = f"`{scope.file.text(expression)}` is generic, and the types of an API are not"
            return self._refuse(scope, expression, message, "declare a class for each of its uses")
        if name.isidentifier():
            return self._refuse_undefined(scope, expression, name)
        parts = PARTS.get(name)
        if parts:
            return self._refuse(
                scope, expression, f"`{scope.file.text(expression)}` has not the parts of its type", parts
            )
        return self._refuse(scope, expression, f"`{scope.file.text(expression)}` has no counterpart in JSON", name)

    def _union(self, scope: ModuleScope, expression: ast.expr, parts: list[ast.expr]) -> Annotation:
        others = [part for part in parts if not is_none(part)]
        if {scope.meaning(part).name for part in others} == {"builtins.int", "builtins.str"} and len(others) == 2:
            found = Annotation(INT_OR_STRING)
        elif len(others) == 1:
            found = self.read(scope, others[0])
        elif not others:
            return self._refuse(scope, expression, "None alone is no type", "write str | None, or the type that it has")
        else:
            message = f"`{scope.file.text(expression)}`: a value has one type in an API"
            help = "write one of them, int | str, or a class with a member for each (see unionMember)"
            return self._refuse(scope, expression, message, help)
        if len(others) < len(parts):
            found.nullable = True
            # None is already a value of lists, maps and types that allow anything, also under a name of their own.
            if not isinstance(self._underlying(found.type)[0], List | Map | Interface | Pointer):
                found.type = Pointer(found.type)
        return found

    def _underlying(self, type: TypeExpr) -> tuple[TypeExpr | None, list[Constraint]]:
        """Resolves aliases to a type that is no alias, and returns it with the constraints of these aliases."""
        passed: list[Constraint] = []
        quiet = replace(self.reader, report=_ignore_findings, declare=_find_undeclared)
        for _ in range(_MOST_LEVELS):
            if not isinstance(type, Named):
                return type, passed
            owner = self.reader.module(type.package)
            if owner is not None and type.name in owner.classes and owner.is_enum(owner.classes[type.name]):
                return Builtin("string"), passed
            value = owner.find_alias(type.name) if owner else None
            if owner is None or value is None:
                break
            found = _Reading(quiet, "", self.level + 1).read(owner, value)
            passed += found.constraints
            type = found.type
        return None, passed

    def _literal(self, scope: ModuleScope, expression: ast.Subscript, items: list[ast.expr]) -> Annotation:
        values = [item for item in items if not is_none(item)]
        if bounds := find_bounds([value.value if isinstance(value, ast.Constant) else value for value in values]):
            text, span = scope.file.text(expression), scope.file.span(expression)
            both = [Constraint(kind, n, text, span, "typing") for kind, n in zip(("ge", "le"), bounds, strict=True)]
            is_nullable = len(values) < len(items)
            int64 = Builtin("int64")
            return Annotation(Pointer(int64) if is_nullable else int64, constraints=both, nullable=is_nullable)
        if not values or not all(isinstance(v, ast.Constant) and isinstance(v.value, str) for v in values):
            message = f"`{scope.file.text(expression)}`: only strings have legal values of their own"
            return self._refuse(scope, expression, message, "write int with Minimum(…) and Maximum(…), or bool")
        type = self._enum(expression)
        return Annotation(Pointer(type) if len(values) < len(items) else type)

    def _enum(self, literal: ast.expr) -> TypeExpr:
        return Named(self.reader.scope.source.path, self.reader.declare(self.name, literal))

    # --- values beside a type ---------------------------------------------------------------------------------------

    def _metadata(self, scope: ModuleScope, value: ast.expr, found: Annotation) -> None:
        head = value.func if isinstance(value, ast.Call) else value
        name = scope.meaning(head).name
        span = scope.file.span(value)
        if name.removeprefix(_TYPES) in WIDTHS:
            self._narrow(scope, value, name.removeprefix(_TYPES), found)
        elif name == f"{_TYPES}Inline":
            found.inline = True
        elif name.isidentifier() and (help := help_with_undefined_tag(name)):
            self._tell("VG106", Severity.ERROR, f"`{name}` is not defined in this module", scope.file.span(head), help)
        elif name == f"{_TYPES}Json" or name.startswith("validation_gen.tags."):
            try:
                made = tag_value(value, scope.meaning)
            except NotLiteralError as problem:
                self._tell("VG106", Severity.ERROR, str(problem), scope.file.span(problem.node), problem.help)
                return
            if isinstance(made, Json):
                found.json = made
            else:
                found.tags.append(CommentLine(str(made), span, literal=False))
        else:
            found.constraints += read_constraints(scope, value)
            if name == "pydantic.Field":
                found.default = read_default(scope, value)

    def _narrow(self, scope: ModuleScope, value: ast.expr, width: str, found: Annotation) -> None:
        wanted = Builtin("float64" if width.startswith("Float") else "int64")
        if isinstance(found.type, Pointer) and found.type.elem == wanted:
            found.type = Pointer(Builtin(width.lower()))
        elif found.type == wanted:
            found.type = Builtin(width.lower())
        else:
            message = f"{width} narrows {'float' if width.startswith('Float') else 'int'} only"
            self._tell("VG106", Severity.ERROR, message, scope.file.span(value), "take it away, or change the type")

    # --- errors -----------------------------------------------------------------------------------------------------

    def _refuse(self, scope: ModuleScope, expression: ast.expr, message: str, help: str) -> Annotation:
        text = scope.file.text(expression)
        self._tell("VG106", Severity.ERROR, message, scope.file.span(expression), advice(help, text))
        return Annotation(Unsupported("Python", text))

    def _refuse_undefined(self, scope: ModuleScope, expression: ast.expr, name: str) -> Annotation:
        inner = [(s, outer) for outer, node in scope.classes.items() for s in node.body if isinstance(s, ast.ClassDef)]
        outer = next((outer for statement, outer in inner if statement.name == name), "")
        help = (
            f"move it out of {outer}, to the top of the module" if outer else help_with_undefined(name, scope.names())
        )
        return self._refuse(scope, expression, f"`{name}` is not defined in this module", help)

    def _tell(self, code: str, severity: Severity, message: str, span: Span, help: str) -> None:
        self.reader.report(Diagnostic(code, severity, message, span, help))


def _alternatives(expression: ast.expr) -> list[ast.expr]:
    """Returns the parts of `a | b | c`."""
    found: list[ast.expr] = []
    while isinstance(expression, ast.BinOp) and isinstance(expression.op, ast.BitOr):
        found.insert(0, expression.right)
        expression = expression.left
    return [expression, *found]


def _ignore_findings(diagnostic: Diagnostic) -> None:
    """Drops findings of annotations that are read a second time."""


def _find_undeclared(name: str, _literal: ast.expr) -> str:
    """Returns the name of an enum that was declared at the first reading."""
    return name
