"""Reads the tables of Go tests as data: composite literals, and the calls in them that make sets and paths.

Nothing of Go is run. A literal with names becomes a dict, one without a list, and a call a `Call`, for the tests to
interpret.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tree_sitter
import tree_sitter_go


@dataclass(frozen=True)
class Call:
    """A call, or a name that no declaration of the file explains."""

    name: str
    arguments: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Literal:
    """A composite literal with a type of its own; `value` is a dict or a list."""

    type: str
    value: Any


class GoFiles:
    """The declarations of the files of a package."""

    def __init__(self, paths: Iterable[Path]) -> None:
        parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_go.language()))
        self.values: dict[str, Any] = {}
        self.functions: dict[str, Any] = {}
        for path in paths:
            for node in parser.parse(path.read_bytes()).root_node.named_children:
                if node.type == "function_declaration":
                    self.functions[text(node.child_by_field_name("name"))] = node
                elif node.type in ("var_declaration", "const_declaration"):
                    self.values.update(_declared(node))

    def value(self, name: str) -> Any:
        """Evaluates a declaration of the package."""
        return self.evaluate(self.values[name], {})

    def evaluate(self, node: Any, local: dict[str, Any]) -> Any:
        """Evaluates an expression; `local` has nodes, or texts, of names within a function."""
        kind = node.type
        if kind in ("literal_element", "parenthesized_expression", "expression_list"):
            return self.evaluate(node.named_children[0], local)
        if kind == "raw_string_literal":
            return text(node)[1:-1].replace("\r", "")
        if kind == "interpreted_string_literal":
            return ast.literal_eval(text(node))
        if kind in ("int_literal", "float_literal"):
            return ast.literal_eval(text(node))
        if kind in ("true", "false", "nil"):
            return {"true": True, "false": False, "nil": None}[kind]
        if kind == "unary_expression":
            value = self.evaluate(node.child_by_field_name("operand"), local)
            return -value if text(node).startswith("-") else value
        if kind == "binary_expression":
            return self.evaluate(node.named_children[0], local) + self.evaluate(node.named_children[1], local)
        if kind in ("call_expression", "type_conversion_expression"):
            arguments = node.child_by_field_name("arguments") or node.child_by_field_name("operand")
            operands = arguments.named_children if arguments.type == "argument_list" else [arguments]
            called = node.child_by_field_name("function") or node.child_by_field_name("type")
            return Call(text(called), tuple(self.evaluate(each, local) for each in operands if each.type != "comment"))
        if kind == "composite_literal":
            body = self._body(node.child_by_field_name("body"), local)
            return Literal(text(node.child_by_field_name("type")), body)
        if kind == "literal_value":
            return self._body(node, local)
        if kind == "identifier" and text(node) in local:
            known = local[text(node)]
            return known if isinstance(known, str) else self.evaluate(known, local)
        if kind == "identifier" and not _is_run(self.values.get(text(node))):
            return self.value(text(node))
        return Call(text(node))

    def _body(self, node: Any, local: dict[str, Any]) -> Any:
        children = [child for child in node.named_children if child.type != "comment"]
        if not children or children[0].type != "keyed_element":
            return [self.evaluate(child, local) for child in children]
        found = {}
        for child in children:
            key, value = (each for each in child.named_children if each.type != "comment")
            name = key.named_children[0] if key.type == "literal_element" else key
            known = name.type == "identifier" and text(name) not in {**self.values, **local}
            at = text(name) if known or name.type == "field_identifier" else self.evaluate(name, local)
            found[at] = self.evaluate(value, local)
        return found

    def locals(self, function: str) -> dict[str, Any]:
        """Returns the nodes of the names that a function declares."""
        found: dict[str, Any] = {}
        for node in descend(self.functions[function]):
            if node.type == "short_var_declaration":
                names, values = node.child_by_field_name("left"), node.child_by_field_name("right")
                if len(names.named_children) == len(values.named_children):
                    pairs = zip(names.named_children, values.named_children, strict=True)
                    found.update({text(name): value for name, value in pairs if text(name) not in found})
            elif node.type in ("const_spec", "var_spec"):
                found.update(_specified(node))
        return found


def descend(node: Any) -> Iterator[Any]:
    """Yields a node and all below it."""
    waiting = [node]
    while waiting:
        found = waiting.pop()
        yield found
        waiting.extend(reversed(found.children))


def text(node: Any) -> str:
    """Returns the source of a node."""
    return str(node.text.decode())


def _is_run(node: Any) -> bool:
    """Returns whether a function makes a value, or it is unknown."""
    called = None if node is None else node.child_by_field_name("function")
    return node is None or (called is not None and called.type == "func_literal")


def _declared(node: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for child in node.named_children:
        for spec in child.named_children if child.type.endswith("_list") else [child]:
            if spec.type in ("var_spec", "const_spec"):
                found.update(_specified(spec))
    return found


def _specified(spec: Any) -> dict[str, Any]:
    value = spec.child_by_field_name("value")
    names = [child for child in spec.named_children if child.type == "identifier"]
    if value is None or not names:
        return {}
    values = value.named_children if value.type == "expression_list" else [value]
    return {text(name): each for name, each in zip(names, values, strict=False)}
