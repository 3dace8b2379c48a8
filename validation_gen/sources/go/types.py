"""Type declarations, type expressions and struct fields of a Go file, with the lengths of arrays.

An array with an invalid, unknown or excessive length gets none, and its package a note. No array of that length is ever
allocated.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from validation_gen.diagnostics import Diagnostic, Severity, Span
from validation_gen.sources.go.constants import ConstantReader
from validation_gen.sources.go.literals import JSONTag, json_tag, string_value
from validation_gen.sources.go.scope import FileScope, operand
from validation_gen.sources.model import (
    Array,
    Field,
    Interface,
    List,
    Map,
    Named,
    Pointer,
    Struct,
    TypeDecl,
    TypeExpr,
    Unsupported,
)
from validation_gen.tags.model import CommentLine

if TYPE_CHECKING:
    from tree_sitter import Node


_LONGEST = 10_000
_EXCERPT = 50
_HELP = "write how many items there are, or declare a slice"


def array(node: Node, elem: TypeExpr, owner: str, scope: FileScope, constants: ConstantReader) -> Array:
    """Returns the array type of a node. An error in its length becomes a note for the type `owner`."""
    length = node.child_by_field_name("length")
    if length is None:
        return Array("", elem)
    text = " ".join(scope.tree.text(length).split())
    value = constants.constant(length, scope)
    count = int(value) if isinstance(value, float) and value.is_integer() else value
    shown = text if len(text) <= _EXCERPT else f"{text[:_EXCERPT]}…"
    if not isinstance(count, int) or isinstance(count, bool):
        problem = f"the length `{shown}` of an array cannot be evaluated, so it is read as a list of any length"
    elif count < 0:
        problem = f"the length `{shown}` of an array is negative, so it is read as a list of any length"
    elif count > _LONGEST:
        problem = f"an array of more than {_LONGEST} items (`{shown}`) is read as a list of any length"
    else:
        return Array(text, elem, count)
    note = Diagnostic("VG302", Severity.WARNING, f"{owner}: {problem}", scope.tree.span(length), _HELP)
    scope.package.notes.append((owner, note))
    return Array(text, elem)


# Greatest nesting depth. The limit keeps hostile files from exhausting the stack.
_MAX_DEPTH = 50
_NO_TAG = JSONTag("", (), omitted=False)


class TypeReader:
    """Reads the type declarations of one file into the scope of its package."""

    def __init__(self, scope: FileScope, constants: ConstantReader) -> None:
        self._scope = scope
        self._tree = scope.tree
        self._constants = constants
        self._owner = ""

    def declare(self, spec: Node) -> bool:
        """Reads a `type_spec` or `type_alias` node. Returns False if it is ignored.

        The first of two declarations with one name wins.
        """
        name_node, type_node = spec.child_by_field_name("name"), spec.child_by_field_name("type")
        if name_node is None or type_node is None:
            return False
        name = self._tree.text(name_node)
        package = self._scope.package
        if name in package.types:
            # One with tags of its own is always reported: they are lost.
            comments = self._scope.comments.above(self._tree.line(name_node))
            tagged = "+k8s:" in self._tree.text(spec) or any("+k8s:" in line.text for line in comments)
            self._note_double(f"{package.path}.{name}", "", self._tree.span(name_node), always=tagged)
        if name == "_" or name in package.types:
            return False
        self._owner = name
        parameters = self._parameters(spec.child_by_field_name("type_parameters"))
        line = self._tree.line(name_node)
        package.types[name] = TypeDecl(
            package=package.path,
            name=name,
            type=self._right_hand_side(type_node, name, parameters, 0),
            span=self._tree.span(name_node),
            alias=spec.type == "type_alias",
            closest=self._scope.comments.above(line),
            second_closest=self._scope.comments.second_above(line),
            parameters=parameters,
            apart=self._scope.comments.apart(line, _floor(spec)),
        )
        return True

    def _parameters(self, node: Node | None) -> tuple[str, ...]:
        if node is None:
            return ()
        return tuple(
            self._tree.text(name)
            for declaration in node.named_children
            for name in declaration.children_by_field_name("name")
            if name.is_named
        )

    def _right_hand_side(self, node: Node, owner: str, parameters: tuple[str, ...], depth: int) -> TypeExpr:
        """Reads the type after the name of a type declaration: only here a struct stays a struct."""
        while node.type == "parenthesized_type" and (inner := operand(node)) is not None:
            node = inner
        if node.type == "struct_type":
            return self._struct(node, owner, parameters, depth)
        return self.expression(node, f"{owner}_Elem", parameters, depth)

    def expression(self, node: Node | None, nested: str, parameters: tuple[str, ...] = (), depth: int = 0) -> TypeExpr:
        """Reads a type expression. `nested` is the name for an unnamed struct type inside."""
        if node is None:
            return Unsupported("Invalid", "")
        text = self._tree.text
        kind = node.type
        if kind in ("type_identifier", "identifier"):
            return self._scope.unqualified(text(node), node, parameters)
        if kind == "qualified_type":
            qualifier, name = node.child_by_field_name("package"), node.child_by_field_name("name")
            if qualifier is not None and name is not None:
                return self._scope.qualified(text(qualifier), text(name), node)
        if kind in _UNSUPPORTED:
            return Unsupported(_UNSUPPORTED[kind], _one_line(text(node)))
        if kind == "interface_type":
            return Interface()
        if depth >= _MAX_DEPTH:
            self._note_depth(node)
            return Unsupported("Nested", _one_line(text(node)[:_MAX_DEPTH]))
        depth += 1
        if kind == "struct_type":
            return self._hoist(node, nested, parameters, depth)
        if kind == "pointer_type":
            return Pointer(self.expression(operand(node), nested, parameters, depth))
        if kind == "parenthesized_type":
            return self.expression(operand(node), nested, parameters, depth)
        if kind == "slice_type":
            return List(self.expression(node.child_by_field_name("element"), nested, parameters, depth))
        if kind == "array_type":
            elem = self.expression(node.child_by_field_name("element"), nested, parameters, depth)
            return array(node, elem, f"{self._scope.package.path}.{self._owner}", self._scope, self._constants)
        if kind == "map_type":
            key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
            return Map(
                self.expression(key, f"{nested}_Key", parameters, depth),
                self.expression(value, nested, parameters, depth),
            )
        return Unsupported("Invalid", _one_line(text(node)))

    def _note_depth(self, node: Node) -> None:
        owner = f"{self._scope.package.path}.{self._owner}"
        message = f"{owner}: types are nested too deeply here"
        help = f"declare a type in between: at most {_MAX_DEPTH} may be in one another without a name"
        found = Diagnostic("VG305", Severity.ERROR, message, self._tree.span(node), help)
        self._scope.package.notes.append((owner, found))

    def _hoist(self, node: Node, name: str, parameters: tuple[str, ...], depth: int) -> Named:
        """Declares an unnamed struct type, so that all structs are reached by a reference."""
        package = self._scope.package
        unique, number = name, 1
        while unique in package.names:
            number += 1
            unique = f"{name}{number}"
        package.names.add(unique)
        span = self._tree.span(node)
        outer, self._owner = self._owner, unique
        struct = self._struct(node, unique, parameters, depth)
        self._owner = outer
        package.types[unique] = TypeDecl(package.path, unique, struct, span, parameters=parameters)
        return Named(package.path, unique, span)

    def _struct(self, node: Node, owner: str, parameters: tuple[str, ...], depth: int) -> Struct:
        fields: list[Field] = []
        for body in node.named_children:
            if body.type == "field_declaration_list":
                # asking each field for its neighbours would walk the tree from its root each time
                floor = body.start_point.row + 1
                for declaration in body.named_children:
                    if declaration.type == "field_declaration":
                        fields.extend(self._fields(declaration, owner, parameters, depth, floor))
                    if declaration.type != "comment":
                        floor = declaration.end_point.row + 1
        exported = [member for member in fields if member.exported]
        self._note_doubles(exported)
        return Struct(tuple(exported), tuple(member for member in fields if not member.exported))

    def _note_doubles(self, fields: list[Field]) -> None:
        """Notes duplicate field names, which Go does not compile."""
        owner = f"{self._scope.package.path}.{self._owner}"
        met: set[str] = set()
        for member in fields:
            if member.go_name in met and member.go_name != "_":
                self._note_double(owner, f"field {member.go_name}", member.span)
            met.add(member.go_name)

    def _note_double(self, owner: str, what: str, span: Span, *, always: bool = False) -> None:
        message = f"{owner}: {what or 'the type'} is declared twice"
        help = "give one of them another name, or remove it"
        found = Diagnostic("VG101", Severity.ERROR, message, span, help)
        self._scope.package.notes.append(("" if always else owner, found))

    def _fields(self, node: Node, owner: str, parameters: tuple[str, ...], depth: int, floor: int) -> list[Field]:
        """Returns the fields of one declaration. `floor` is the last line of code above it."""
        type_node = node.child_by_field_name("type")
        if type_node is None:
            return []
        tag_node = node.child_by_field_name("tag")
        written = string_value(self._tree.text(tag_node)) or "" if tag_node else ""
        tag = json_tag(written) if tag_node else _NO_TAG
        names = [name for name in node.children_by_field_name("name") if name.is_named]
        if not names:
            return self._embedded(node, type_node, tag, written, parameters, floor)
        fields: list[Field] = []
        for name_node in names:
            name = self._tree.text(name_node)
            if name[:1].isupper():
                type = self.expression(type_node, f"{owner}_{name}", parameters, depth)
                fields.append(self._field(name, type, tag, written, name_node, floor, embedded=False))
        return fields

    def _embedded(
        self, node: Node, type_node: Node, tag: JSONTag, written: str, parameters: tuple[str, ...], floor: int
    ) -> list[Field]:
        """Reads an embedded type. Upstream leaves out those with a lower-case name, although JSON sees their fields."""
        name_node = type_node
        if type_node.type == "generic_type":
            name_node = type_node.child_by_field_name("type") or type_node
        name = self._tree.text(name_node).rpartition(".")[2].strip()
        type_ = self.expression(type_node, name, parameters)
        if any(child.type == "*" for child in node.children):
            type_ = Pointer(type_)
        return [self._field(name, type_, tag, written, type_node, floor, embedded=True)]

    def _field(
        self, name: str, type_: TypeExpr, tag: JSONTag, written: str, node: Node, floor: int, *, embedded: bool
    ) -> Field:
        """Builds a field: `LookupJSON` of gengo decides what is inline; the JSON name is that of `encoding/json`.

        They differ on one point: encoding/json ignores the option `inline`, so a field with a name of its own stays a
        member of that name, while upstream adds no path element for it.
        """
        inline = (embedded and not tag.name) or tag.inline
        json = "" if tag.omitted else tag.name or ("" if embedded else name)
        line = self._tree.line(node)
        return Field(
            go_name=name,
            type=type_,
            json=json,
            inline=inline and not tag.omitted,
            omitted=tag.omitted,
            embedded=embedded,
            comments=self._doc(line, first=line > floor),
            span=self._tree.span(node),
            omit=tag.omit,
            quoted="string" in tag.options,
            apart=self._scope.comments.apart(line, floor),
            tag=written,
            exported=not embedded or name[:1].isupper(),
        )

    def _doc(self, line: int, *, first: bool) -> tuple[CommentLine, ...]:
        """Returns the comment above a field. If other code precedes it on its line, the comment is that code's, too."""
        found = self._scope.comments.above(line)
        return found if first else tuple(replace(each, behind=True) for each in found)


def _floor(node: Node) -> int:
    """Returns the last line of code above the declaration of a type."""
    if node.parent is not None and node.parent.type == "type_declaration" and node.parent.child(1) == node:
        node = node.parent  # it is not one of several in parentheses
    previous = node.prev_named_sibling
    while previous is not None and previous.type == "comment":
        previous = previous.prev_named_sibling
    if previous is not None:
        return previous.end_point.row + 1
    return node.parent.start_point.row + 1 if node.parent is not None and node.parent.parent is not None else 0


# Types that no API can have, by Go's name (`reflect.Kind`, and `Generic` for instantiated types).
_UNSUPPORTED = {"channel_type": "Chan", "function_type": "Func", "generic_type": "Generic"}


def _one_line(text: str) -> str:
    return " ".join(text.split())
