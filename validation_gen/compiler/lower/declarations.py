"""Applies the tags of one declaration, and refuses types that Kubernetes validation does not support.

Each tag is applied separately, so that one mistake does not hide another. The reasons for refused types are upstream's
(tag reference 3.6).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.ir import Check
from validation_gen.rules.base import Context, Deferred, RuleError, RuleOutput, Target
from validation_gen.rules.registry import apply, in_order
from validation_gen.sources.model import Array, Builtin, List, Map, Named, Pointer, TypeExpr, Unsupported
from validation_gen.sources.typesystem import STRING, TypeSystem
from validation_gen.tags.model import Tag

ARRAYS = "fixed-size arrays are not supported"
USE_A_SLICE = "declare a slice; +k8s:maxItems limits its length"


def has_array(types: TypeSystem, type: TypeExpr) -> bool:
    """Returns whether a type is an array, or contains one outside of structs."""
    native = types.native(type)
    met = {native}
    while isinstance(native, Pointer | List | Map):
        native = types.native(native.elem)
        if native in met:
            return False  # a list or map of itself
        met.add(native)
    return isinstance(native, Array)


def demands_something(tag: Tag) -> bool:
    """Returns whether a tag does more than disable validation."""
    while tag.payload is not None:
        tag = tag.payload
    return tag.name != "k8s:opaqueType"


def refusal(types: TypeSystem, type: TypeExpr, *, strict: bool = False) -> str:
    """Says why a field of this type cannot be validated; empty when it can.

    `strict` refuses integer keys of maps as well, which upstream does although Go and JSON know them.
    """
    match type:
        case Pointer(elem=elem):
            return _pointer(types, elem) or refusal(types, elem, strict=strict)
        case Builtin(name="complex64" | "complex128"):
            return "kind Unsupported is not supported"
        case Array():
            return ARRAYS
        case List(elem=elem):
            return _list(types, elem) or refusal(types, elem, strict=strict)
        case Map(key=key, elem=elem):
            return _map(types, key, elem, strict) or refusal(types, elem, strict=strict)
        case Unsupported(kind=kind):
            # Invalid or unresolved types have been reported at their location.
            return "" if kind in ("Invalid", "Unresolved") else f"kind {kind} is not supported"
        case Named():
            declaration = types.declaration(type)
            if declaration is not None and isinstance(declaration.type, Pointer):
                return "typedefs to pointers are not supported"
            underlying = types.underlying(type)
            return "" if isinstance(underlying, Named) else refusal(types, underlying, strict=strict)
    return ""


def _pointer(types: TypeSystem, elem: TypeExpr) -> str:
    match types.native(elem):
        case Pointer():
            return "pointers to pointers are not supported"
        case List() | Array():
            return "pointers to lists are not supported"
        case Map():
            return "pointers to maps are not supported"
    return ""


def _list(types: TypeSystem, elem: TypeExpr) -> str:
    match types.native(elem):
        case List(elem=inner) if types.native(inner) != Builtin("uint8"):
            return "lists of lists are not supported"
        case Map():
            return "lists of maps are not supported"
    return ""


def _map(types: TypeSystem, key: TypeExpr, elem: TypeExpr, strict: bool) -> str:
    if types.native(key) != STRING and (strict or not types.is_integer(key)):
        return "maps with non-string keys are not supported"
    match types.native(elem):
        case Pointer():
            return "maps of pointers are not supported"
        case Map():
            return "maps of maps are not supported"
    return ""


def refusal_of_tags(types: TypeSystem, type: TypeExpr) -> str:
    """Returns the reason why tags are refused on a field or type of this kind, although it is supported itself."""
    value = types.value(type)
    if isinstance(value, Map) and isinstance(value.elem, List):
        return "validation for map of slices is not supported"
    return ""


_MOST_ROUNDS = 10  # upstream's limit; only a rule that defers for ever can reach it


@dataclass(frozen=True, slots=True)
class RuleApplier:
    """Applies tags and finishes deferred work; refusals become diagnostics."""

    diagnostics: Diagnostics

    def apply(self, context: Context, tags: Sequence[Tag], place: str) -> RuleOutput:
        """Returns the checks of a declaration's tags in upstream's order. `place` names it in messages."""
        result = RuleOutput()
        for tag in in_order(tags):
            try:
                result.add(apply(context, tag))
            except RuleError as error:
                self._report(error, place, tag.span)
        return result

    def resolve(self, deferred: list[Deferred], place: str, span: Span, this: list[Check], parent: list[Check]) -> None:
        """Resolves deferred work in rounds, because its results can be deferred again.

        The checks go to `this` declaration or to the one around it, as each piece of work decides.
        """
        for _ in range(_MOST_ROUNDS):
            following: list[Deferred] = []
            for work in deferred:
                try:
                    result = work.resolve()
                except RuleError as error:
                    self._report(error, place, span)
                    continue
                (this if work.target is Target.THIS else parent).extend(result.checks)
                following += result.deferred
            deferred = following
            if not deferred:
                return
        message = f"deferred validation recursion depth exceeded {_MOST_ROUNDS} for {place}"
        self.diagnostics.error("VG205", message, span)

    def _report(self, error: RuleError, place: str, span: Span) -> None:
        self.diagnostics.error(error.code, f"{place}: {error.message}", error.span or span, error.help)
