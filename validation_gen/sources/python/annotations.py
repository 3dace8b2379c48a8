"""Annotations: from `Annotated[list[str], MaxItems(2)] | None` to a type and the tags that come with it."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from validation_gen.diagnostics import Diagnostic, Severity, Span
from validation_gen.model import (
    Builtin,
    CommentLine,
    Interface,
    List,
    Map,
    Named,
    Pointer,
    TypeExpr,
    Unsupported,
)
from validation_gen.sources.python.advice import ADVICE, CONSTRAINTS, PARTS, advice, undefined, undefined_tag
from validation_gen.sources.python.scope import Meaning, ModuleScope
from validation_gen.sources.python.values import NotLiteralError, tag_value
from validation_gen.sources.python.vocabulary import INT_OR_STRING, LISTS, MAPS, SCALARS, WIDTHS, WRAPPERS
from validation_gen.tags.suggestions import nearest
from validation_gen.types import Json
from validation_gen.types.meta import GO_TYPES

_MOST_LEVELS = 50
_TYPES = "validation_gen.types."


@dataclass(slots=True)
class Annotation:
    """What an annotation says: the type, tags in the order of their values, and how the field is named and held."""

    type: TypeExpr
    tags: list[CommentLine] = field(default_factory=list)
    json: Json | None = None
    inline: bool = False


@dataclass(slots=True)
class AnnotationReader:
    """Reads the annotations of one module.

    `module` finds other modules by their import paths; `report` takes what is wrong; `declare` makes a type of its own
    for a `Literal` and returns its name.
    """

    scope: ModuleScope
    module: Callable[[str], ModuleScope | None]
    report: Callable[[Diagnostic], None]
    declare: Callable[[str, ast.expr], str]

    def read(self, expression: ast.expr, name: str = "") -> Annotation:
        """The annotation of a field or alias. `name` is that of a type that has to be made for it."""
        return _Reading(self, name).read(self.scope, expression)


@dataclass(slots=True)
class _Reading:
    """One annotation on its way. Every level may be in another module, when names lead there."""

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
            case ast.Subscript(value=value, slice=inside):
                items = inside.elts if isinstance(inside, ast.Tuple) else [inside]
                return self._subscript(scope, expression, scope.meaning(value), items)
        return self._refuse(scope, expression, f"`{scope.file.text(expression)}` is no type", "")

    def _quoted(self, scope: ModuleScope, expression: ast.Constant, text: str) -> Annotation:
        """A forward reference. Its parts all stand where the string stands."""
        try:
            inner = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return self._refuse(scope, expression, f"`{text}` is no type", "write the name of a class in the quotes")
        for node in ast.walk(inner):
            for attribute in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
                if hasattr(node, attribute):
                    setattr(node, attribute, getattr(expression, attribute))
        return self.read(scope, inner)

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
            near = nearest(name, list(GO_TYPES))
            help = f"did you mean {near}?" if near else ""
            return self._refuse(scope, expression, f"validation_gen.types.meta has no `{name}`", help)
        package, go = GO_TYPES[name]
        return Annotation(Named(package, go, scope.file.span(expression)))

    # --- what has parts ---------------------------------------------------------------------------------------------

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
            inner = self.read(scope, items[0])
            return Annotation(List(inner.type), _chained("eachVal", inner.tags))
        if name in MAPS and len(items) == 2:
            key, inner = self.read(scope, items[0]), self.read(scope, items[1])
            tags = [*_chained("eachKey", key.tags), *_chained("eachVal", inner.tags)]
            return Annotation(Map(key.type, inner.type), tags)
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
        others = [part for part in parts if not _is_none(part)]
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
        if len(others) < len(parts) and not self._is_nilable(found.type):
            found.type = Pointer(found.type)
        return found

    def _is_nilable(self, type: TypeExpr) -> bool:
        """Whether None is a value already: of lists, maps and what may be anything, also under a name of their own."""
        for _ in range(_MOST_LEVELS):
            if not isinstance(type, Named):
                break
            owner = self.reader.module(type.package)
            value = owner.alias_of(type.name) if owner else None
            if owner is None or value is None:
                break
            type = _Reading(replace(self.reader, report=_ignored), "", self.level + 1).read(owner, value).type
        return isinstance(type, List | Map | Interface | Pointer)

    def _literal(self, scope: ModuleScope, expression: ast.Subscript, items: list[ast.expr]) -> Annotation:
        values = [item for item in items if not _is_none(item)]
        if not values or not all(isinstance(v, ast.Constant) and isinstance(v.value, str) for v in values):
            message = f"`{scope.file.text(expression)}`: only strings have legal values of their own"
            return self._refuse(scope, expression, message, "write int with Minimum(…) and Maximum(…), or bool")
        type: TypeExpr = Named(self.reader.scope.source.path, self.reader.declare(self.name, expression))
        return Annotation(Pointer(type) if len(values) < len(items) else type)

    # --- values beside a type ---------------------------------------------------------------------------------------

    def _metadata(self, scope: ModuleScope, value: ast.expr, found: Annotation) -> None:
        head = value.func if isinstance(value, ast.Call) else value
        name = scope.meaning(head).name
        span = scope.file.span(value)
        if name.removeprefix(_TYPES) in WIDTHS:
            self._narrow(scope, value, name.removeprefix(_TYPES), found)
        elif name == f"{_TYPES}Inline":
            found.inline = True
        elif name in CONSTRAINTS:
            message = f"`{scope.file.text(value)}` has no effect here"
            self._tell("VG106", Severity.WARNING, message, span, f"write {CONSTRAINTS[name]} of validation_gen.tags")
        elif name.isidentifier() and (help := undefined_tag(name)):
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

    def _narrow(self, scope: ModuleScope, value: ast.expr, width: str, found: Annotation) -> None:
        wanted = Builtin("float64" if width.startswith("Float") else "int64")
        if isinstance(found.type, Pointer) and found.type.elem == wanted:
            found.type = Pointer(Builtin(width.lower()))
        elif found.type == wanted:
            found.type = Builtin(width.lower())
        else:
            message = f"{width} narrows {'float' if width.startswith('Float') else 'int'} only"
            self._tell("VG106", Severity.ERROR, message, scope.file.span(value), "take it away, or change the type")

    # --- what is wrong ----------------------------------------------------------------------------------------------

    def _refuse(self, scope: ModuleScope, expression: ast.expr, message: str, help: str) -> Annotation:
        text = scope.file.text(expression)
        self._tell("VG106", Severity.ERROR, message, scope.file.span(expression), advice(help, text))
        return Annotation(Unsupported("Python", text))

    def _refuse_undefined(self, scope: ModuleScope, expression: ast.expr, name: str) -> Annotation:
        inner = [(s, outer) for outer, node in scope.classes.items() for s in node.body if isinstance(s, ast.ClassDef)]
        outer = next((outer for statement, outer in inner if statement.name == name), "")
        help = f"move it out of {outer}, to the top of the module" if outer else undefined(name, scope.names())
        return self._refuse(scope, expression, f"`{name}` is not defined in this module", help)

    def _tell(self, code: str, severity: Severity, message: str, span: Span, help: str) -> None:
        self.reader.report(Diagnostic(code, severity, message, span, help))


def _alternatives(expression: ast.expr) -> list[ast.expr]:
    """The parts of `a | b | c`."""
    found: list[ast.expr] = []
    while isinstance(expression, ast.BinOp) and isinstance(expression.op, ast.BitOr):
        found.insert(0, expression.right)
        expression = expression.left
    return [expression, *found]


def _is_none(expression: ast.expr) -> bool:
    return isinstance(expression, ast.Constant) and expression.value is None


def _chained(wrapper: str, tags: list[CommentLine]) -> list[CommentLine]:
    """Tags of a part as tags of the whole."""
    return [CommentLine(f"+k8s:{wrapper}={line.text}", line.span, literal=False) for line in tags]


def _ignored(diagnostic: Diagnostic) -> None:
    """For annotations that are read a second time."""
