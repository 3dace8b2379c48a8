"""Checks schemas below `allOf`, `anyOf`, `oneOf` and `not`, which may validate values but not declare anything.

The only exceptions are the two patterns for values that are an integer or a string.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from validation_gen.kubernetes.crd.place import Place
from validation_gen.kubernetes.crd.report import Report
from validation_gen.kubernetes.crd.schema import EMPTY, Schema
from validation_gen.kubernetes.goregex import GoRegexError, compiled

_MOVE = "declare it in the schema itself, outside of allOf, anyOf, oneOf and not"


def check_combined(schema: Schema, place: Place, report: Report) -> None:
    """Checks the combined parts of a structural schema."""
    first_all_of = bool(schema.all_of) and _is_int_or_string(schema.all_of[0].any_of)
    _check_values(schema, place, report, skip_any=_is_int_or_string(schema.any_of), skip_first=first_all_of)


def _check_values(
    schema: Schema, place: Place, report: Report, *, skip_any: bool = False, skip_first: bool = False
) -> None:
    for index, part in enumerate(() if skip_any else schema.any_of):
        _check_nested(part, place.child("anyOf").index(index), report)
    for index, part in enumerate(schema.all_of):
        _check_nested(part, place.child("allOf").index(index), report, skip_any=skip_first and index == 0)
    for index, part in enumerate(schema.one_of):
        _check_nested(part, place.child("oneOf").index(index), report)
    if schema.not_ is not None:
        _check_nested(schema.not_, place.child("not"), report)
    if schema.pattern:
        try:
            compiled(schema.pattern)
        except GoRegexError as error:
            detail = f"must be a valid regular expression, but isn't: {error}"
            help = "patterns are those of Go (RE2), without lookaround and backreferences"
            report.invalid("VG502", place.child("pattern"), schema.pattern, detail, help)


def _check_nested(schema: Schema, place: Place, report: Report, *, skip_any: bool = False) -> None:
    _check_values(schema, place, report, skip_any=skip_any)
    if schema.item is not None:
        _check_nested(schema.item, place.child("items"), report)
    for name, part in schema.properties.items():
        _check_nested(part, place.child("properties").key(name), report)
    for name, rest in _declarations(schema):
        report.forbidden("VG501", place.child(name), f"must be {rest} to be structural", _MOVE)
    if "metadata" in schema.properties:
        inner = place.child("properties").key("metadata")
        report.forbidden("VG510", inner, "must not be specified in a nested context", "drop it")


def _declarations(schema: Schema) -> Iterator[tuple[str, str]]:
    """Yields the keywords that declare something, and their required values."""
    additional = schema.additional_properties
    for found, name, wanted in (
        (schema.type, "type", "empty"),
        (additional is not None and (additional.schema or additional.allows), "additionalProperties", "undefined"),
        (schema.default, "default", "undefined"),
        (schema.title, "title", "empty"),
        (schema.description, "description", "empty"),
        (schema.nullable, "nullable", "false"),
        (schema.preserves, "x-kubernetes-preserve-unknown-fields", "false"),
        (schema.embedded_resource, "x-kubernetes-embedded-resource", "false"),
        (schema.int_or_string, "x-kubernetes-int-or-string", "false"),
        (schema.list_map_keys, "x-kubernetes-list-map-keys", "empty"),
        (schema.list_type is not None, "x-kubernetes-list-type", "undefined"),
        (schema.map_type is not None, "x-kubernetes-map-type", "undefined"),
        (schema.validations, "x-kubernetes-validations", "empty"),
    ):
        if found:
            yield name, wanted


def _is_int_or_string(parts: tuple[Schema, ...]) -> bool:
    """Returns whether these are `type: integer` and `type: string`, in this order and without anything else."""
    return len(parts) == 2 and all(map(_is_bare, parts, ("integer", "string")))


#: Keywords whose empty list differs from an absent one in comparisons with the empty schema.
NIL_LISTS = frozenset({"required", "properties", "x-kubernetes-list-map-keys", "x-kubernetes-validations"})


def _is_bare(schema: Schema, type: str) -> bool:
    if schema.type != type or schema.empty & NIL_LISTS:
        return False
    additional = schema.additional_properties
    ignored = additional is not None and not additional.allows
    return (
        replace(
            schema,
            type="",
            items=schema.items if schema.item else None,
            additional_properties=None if ignored else additional,
            ref=None,
        )
        == EMPTY
    )


# --- completeness -----------------------------------------------------------------------------------------------------

#: Callback for a part that is validated but not declared: the enclosing schema, where it should be declared, where it
#: is validated.
Lost = Callable[[Schema, Place, Place], None]


def check_complete(schema: Schema, place: Place, report: Report) -> None:
    """Checks that each property and item that is validated below the root of a schema is also declared.

    The server checks this only for the root. Further inside, undeclared values are pruned before validation.
    """

    def refuse(_: Schema, lost: Place, origin: Place) -> None:
        shown = Place(
            str(lost), *origin.keys
        )  # the missing declaration has no position, so the finding has that of the validation
        report.required("VG501", shown, f"because it is defined in {origin}", f"declare it: add {lost} with a type")

    def warn(around: Schema, lost: Place, origin: Place) -> None:
        if around.preserves or around.additional_properties is not None:
            return  # it is not pruned
        message = f"{lost} is not declared, so that it is dropped before it is judged here"
        report.warn("VG501", origin, message, f"declare it: add {lost} with a type")

    _compare(schema, schema, place, place, refuse)
    pending = [(schema, place)]
    while pending:
        outer, where = pending.pop()
        if outer.item is not None and not outer.item.settled:
            pending.append((outer.item, where.child("items")))
        if outer.additional is not None and not outer.additional.settled:
            pending.append((outer.additional, where.child("additionalProperties")))
        inner = where.child("properties")
        pending += [(part, inner.key(name)) for name, part in outer.properties.items() if not part.settled]
        if outer is not schema:
            _compare(outer, outer, where, where, warn)


def _compare(values: Schema, schema: Schema, place: Place, origin: Place, lost: Lost) -> None:
    """Compares the parts that a schema validates in combinations with the declarations of another one."""
    parts: list[tuple[str, int | None, Schema | None]] = [("not", None, values.not_)]
    for name, found in (("allOf", values.all_of), ("anyOf", values.any_of), ("oneOf", values.one_of)):
        parts += [(name, index, part) for index, part in enumerate(found)]
    for name, number, part in parts:
        if part is not None:
            inner = origin.child(name)
            _compare_parts(part, schema, place, inner if number is None else inner.index(number), lost)


def _compare_parts(values: Schema, schema: Schema, place: Place, origin: Place, lost: Lost) -> None:
    _compare(values, schema, place, origin, lost)
    parts = [(values.item, schema.item, place.child("items"), origin.child("items"))]
    for name, part in values.properties.items():
        inner, inside = place.child("properties").key(name), origin.child("properties").key(name)
        parts.append((part, schema.properties.get(name), inner, inside))
    for judged, declared, inner, inside in parts:
        if judged is not None and declared is None:
            lost(schema, inner, inside)
        elif judged is not None and declared is not None:
            _compare_parts(judged, declared, inner, inside, lost)
