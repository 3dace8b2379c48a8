"""The text of a generated module as mypyc takes it, and is quick with it.

What mypyc is given means the same as the module, line by line, so that line numbers in tracebacks are those of the
module. Only functions are compiled: everything else is run once, by Python, in the dictionary of the compiled module.
mypyc takes minutes for a thousand statements outside of functions.
"""

from __future__ import annotations

import ast
import hashlib
import marshal
from collections.abc import Iterator
from dataclasses import dataclass, field

from validation_gen.uses.generate.compiled.circles import circles

#: Changes with what this module makes of a text, so that what was built before is built again.
EDITION = "5"

_HEADER = (
    "; from typing import Any as _Any, Final as _Final, cast as _cast"
    "; from validation_gen.runtime.compiled import begin as _begin, deeper as _deeper, settle as _settle"
    "; _names: dict[str, _Any] = _begin({built_as!r}, {code!r}); _missing: _Final[_Any] = object()"
)


def digest_of(text: str) -> str:
    """Returns the digest that a compiled module compares its source with."""
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()


def for_mypyc(text: str, built_as: str, stamp: str, shown: str) -> str:
    """A generated module in a form for mypyc.

    `built_as` is the module's name while it is built, `stamp` a text that can be found in the extension, `shown` the
    file that tracebacks tell.
    """
    tree = ast.parse(text)
    edits = _Edits(text)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    rest = [node for node in tree.body if not isinstance(node, ast.FunctionDef)]
    code = marshal.dumps(compile(ast.Module(rest, []), shown, "exec", dont_inherit=True))
    for node in rest:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            edits.insert(node.end_lineno, node.end_col_offset, _HEADER.format(built_as=built_as, code=code))
        else:
            edits.replace(node, "; ".join(_declared(node)) or "pass")
    for function in functions:
        _types(function, edits)
        for part in ast.walk(function):
            _quicker(part, edits)
    for call in circles(functions):
        edits.replace(call.func, f"_deeper({ast.unparse(call.func)}, ")
        edits.drop(call.func.end_lineno, call.func.end_col_offset)
    ending = f"_stamp: _Final[str] = {stamp!r}\n_settle({built_as!r}, {digest_of(text)!r})\n"
    return edits.text() + ending


def _declared(node: ast.stmt) -> Iterator[str]:
    """Declarations of the names that a statement outside of functions makes.

    Those that are `Final` are kept where no dictionary has to be asked for them.
    """
    match node:
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            for alias in aliases:
                yield f"{alias.asname or alias.name}: _Any"
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            kind = _kind(value)
            yield f"{name}: _Final[{kind}] = _names[{name!r}]" if kind else f"{name}: _Any"
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield f"{name}: _Any"
        case _:
            pass


def _kind(value: ast.expr) -> str:
    """The type of a constant that is asked for valid values; `""` for others."""
    match value:
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id="check"), attr="KNOWN")):
            return "set[str]"
        case ast.Call(func=ast.Attribute(value=ast.Name(id="check"), attr="one_of")):
            return "dict[str, None]"
        case (
            ast.Call(func=ast.Attribute(value=ast.Name(id="RULES" | "shapes"), attr="of" | "Struct"))
            | ast.Call(func=ast.Name(id="Rule" | "Rules"))
        ):
            return ""
    return "_Any"


def _types(function: ast.FunctionDef, edits: _Edits) -> None:
    """Says of all variables that they may be anything, so that mypy does not make up its mind about them."""
    first = function.body[0]
    if isinstance(first, ast.AnnAssign | ast.Expr):
        _fetch(function, edits)
        names = {name.id for name in _assigned(function)}
        edits.insert(first.end_lineno, first.end_col_offset, "".join(f"; {name}: _Any" for name in sorted(names)))
        return
    # There is no room for declarations on a line that begins a block.
    if not any(isinstance(node, ast.Call) and _method(node) == "get" for node in ast.walk(function)):
        _fetch(function, edits)
        return
    seen = set()
    for name in _assigned(function):
        if name.id not in seen:
            seen.add(name.id)
            edits.insert(name.end_lineno, name.end_col_offset, ": _Any")


def _method(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _assigned(function: ast.FunctionDef) -> Iterator[ast.Name]:
    """The names of variables where they get a value by a statement of their own, in the order of the text."""
    known = {argument.arg for argument in function.args.args}
    for node in _in_order(function.body):
        match node:
            case ast.AnnAssign(target=ast.Name(id=id)):
                known.add(id)
            case ast.Assign(targets=[ast.Name() as name], value=value) if name.id not in known:
                if not isinstance(value, ast.Constant) or not isinstance(value.value, bool):
                    yield name
            case _:
                pass


def _fetch(function: ast.FunctionDef, edits: _Edits) -> None:
    """Looks members up once instead of twice.

    Python is quicker with the two, as it has instructions for them and would have to call a method.
    """
    for node in ast.walk(function):
        match node:
            case ast.If(
                test=ast.Compare(left=ast.Constant(value=str(key)), ops=[ast.In()], comparators=[ast.Name(id=obj)]),
                body=[
                    ast.Assign(
                        targets=[ast.Name(id=name)],
                        value=ast.Subscript(value=ast.Name(id=read), slice=ast.Constant(value=also)),
                    ) as assignment,
                    *_,
                ],
                orelse=[],
            ) if (obj, key) == (read, also):
                fetched = f"_cast(dict[_Any, _Any], {obj}).get({key!r}, _missing)"
                edits.replace(node.test, f"({name} := _cast(_Any, {fetched})) is not _missing")
                edits.replace(assignment, "pass")
            case _:
                pass


def _quicker(node: ast.AST, edits: _Edits) -> None:
    match node:
        case ast.Attribute(value=value, attr="__class__", ctx=ast.Load()):
            # The attribute is looked up by its name. The type is at hand, and tells mypyc what the value is.
            edits.replace(node, f"type({ast.unparse(value)})")
        case ast.Call(func=ast.Attribute(value=ast.Name() | ast.BoolOp() as value, attr="get" | "items")):
            # Only dicts are asked so. What is none raises TypeError where it would have raised AttributeError.
            edits.replace(value, f"_cast(dict[_Any, _Any], {ast.unparse(value)})")
        case _:
            pass


def _in_order(nodes: list[ast.stmt]) -> Iterator[ast.AST]:
    for node in nodes:
        yield from _walk(node)


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """The node and what is in it, in the order of the text."""
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _walk(child)


@dataclass(slots=True)
class _Edits:
    """Changes of a text at positions as `ast` has them: lines from 1, columns in bytes of UTF-8."""

    source: str
    changes: list[tuple[int, int, str]] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    encoded: bytes = b""

    def __post_init__(self) -> None:
        self.encoded = self.source.encode(errors="replace")
        self.starts = [0]
        for line in self.encoded.split(b"\n"):
            self.starts.append(self.starts[-1] + len(line) + 1)

    def _at(self, line: int | None, column: int | None) -> int:
        return self.starts[(line or 1) - 1] + (column or 0)

    def insert(self, line: int | None, column: int | None, text: str) -> None:
        at = self._at(line, column)
        self.changes.append((at, at, text))

    def replace(self, node: ast.expr | ast.stmt, text: str) -> None:
        """Other text for a node. Line breaks in it are kept as continuations, so that all below stays where it is."""
        begin, end = self._at(node.lineno, node.col_offset), self._at(node.end_lineno, node.end_col_offset)
        breaks = self.encoded[begin:end].count(b"\n")
        self.changes.append((begin, end, text + "\\\n" * breaks if breaks else text))

    def drop(self, line: int | None, column: int | None) -> None:
        """Removes the one character there."""
        at = self._at(line, column)
        self.changes.append((at, at + 1, ""))

    def text(self) -> str:
        parts, position = [], 0
        for begin, end, text in sorted(self.changes):
            parts += [self.encoded[position:begin], text.encode()]
            position = end
        parts.append(self.encoded[position:])
        return b"".join(parts).decode()
