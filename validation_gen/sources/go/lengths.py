"""Lengths of Go arrays: `[16]byte`, `[Size]int32`, `[2*Rows]string`.

An array with an invalid, unknown or excessive length gets none, and its package a note. No array of that length is ever
allocated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from validation_gen.diagnostics import Diagnostic, Severity
from validation_gen.sources.go.constants import ConstantReader
from validation_gen.sources.go.scope import FileScope
from validation_gen.sources.model import Array, TypeExpr

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
