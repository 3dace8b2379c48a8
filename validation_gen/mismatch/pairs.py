"""Pairs errors of different sides that differ in one part: path, type or origin."""

from __future__ import annotations

from validation_gen.mismatch.expected import general_path
from validation_gen.mismatch.matcher import ErrorMatcher
from validation_gen.mismatch.outcome import Cause
from validation_gen.runtime.errors import ErrorType, FieldError, Mark

#: Errors of these types have the same value for many objects.
_WITHOUT_OWN_VALUE = (ErrorType.TOO_LONG, ErrorType.TOO_MANY, ErrorType.TOO_FEW)

#: Ranks of causes by the similarity of their errors.
RANKS = {Cause.ORIGIN_MISSING: 0, Cause.ORIGIN_DIFFERS: 1, Cause.TYPE_DIFFERS: 2, Cause.PATH_DIFFERS: 3}


def compare_errors(
    handwritten: FieldError, declarative: FieldError, matcher: ErrorMatcher, *, is_declared: bool
) -> tuple[Cause, str] | None:
    """Returns the one difference between two errors, as a term and as a sentence; `None` if there are more.

    `is_declared` is True if a tag declares exactly the handwritten error, so that the other is a different one.
    """
    same_field = handwritten.field in (declarative.field, matcher.normalized(declarative.field))
    same_type = handwritten.type is declarative.type
    wanted, got = handwritten.origin, declarative.origin
    if same_field and same_type:
        if not wanted and not got:
            text = "neither error says which rule it is, so that they cannot be compared: add `.with_origin(…)`"
            return Cause.ORIGIN_MISSING, text
        if not wanted:
            return Cause.ORIGIN_MISSING, f"the handwritten error does not say which rule it is: its origin is `{got}`"
        if not is_declared and wanted != got:
            said = f"the tag's `{got}`" if got else "the tag's none"
            return Cause.ORIGIN_DIFFERS, f"the handwritten error has the origin `{wanted}`, {said}"
    elif same_field and not is_declared and (wanted == got or not (wanted and got)):
        text = f"the handwritten error has the type {handwritten.type.value}, the tag's {declarative.type.value}"
        return Cause.TYPE_DIFFERS, text
    elif same_type and wanted == got and _are_near(handwritten, declarative, is_declared=is_declared):
        text = f"the handwritten error is at `{handwritten.field}`, the tag's at `{declarative.field}`"
        return Cause.PATH_DIFFERS, text
    return None


def _are_near(a: FieldError, b: FieldError, *, is_declared: bool) -> bool:
    """Returns whether paths can mean the same value: one above the other, equal but for indexes, same last name.

    A declared one can only differ in its index.
    """
    one, two = a.field, b.field
    values = [each.bad_value for each in (a, b) if each.bad_value is not None and each.bad_value != ""]
    is_other = len(values) == 2 and values[0] != values[1]
    plain, other = (general_path(path).replace("[*]", "") for path in (one, two))
    if plain == other or is_declared:
        return plain == other and not is_other
    if Mark.ANY_FIELD in a.marks or is_at_or_above(one, two) or is_at_or_above(two, one):
        return True
    if a.origin and "<nil>" in (one, two):
        return True
    if plain.rpartition(".")[2] == other.rpartition(".")[2]:
        return not is_other
    return len(values) == 2 and not is_other and bool(a.origin) and a.type not in _WITHOUT_OWN_VALUE


def is_at_or_above(parent: str, child: str) -> bool:
    """Returns whether a path is another one or leads to it.

    That of the object itself leads to no other, as in Kubernetes.
    """
    return parent == child or (parent != "<nil>" and child.startswith((f"{parent}.", f"{parent}[")))
