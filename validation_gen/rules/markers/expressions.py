"""Markers of rules in the Common Expression Language: `XValidation`, and constraints on the set fields."""

from __future__ import annotations

from collections.abc import Callable

from validation_gen.ir import Validation
from validation_gen.rules.markers.base import (
    TYPE_OR_FIELD,
    Argument,
    MarkerError,
    SchemaMarker,
    SchemaPlace,
    Target,
    Use,
    one,
)
from validation_gen.rules.markers.values import BOOL, TEXT, TEXTS
from validation_gen.tags.suggestions import did_you_mean

_PREFIX = "kubebuilder:validation:"
REASONS = ("FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate")
RULE_ARGUMENTS = (
    Argument("rule", TEXT, "the expression, which must be true; `self` is the value"),
    Argument("message", TEXT, "the message when it is not true", required=False),
    Argument("messageExpression", TEXT, "an expression that gives the message", required=False),
    Argument("reason", TEXT, "the kind of error", required=False, choices=REASONS),
    Argument("fieldPath", TEXT, "the field below the value that the error is about", required=False),
    Argument("optionalOldSelf", BOOL, "whether the rule runs without an old value, too", required=False),
)


def _add_rule(use: Use, place: SchemaPlace) -> None:
    if not use.text("rule").strip():
        raise MarkerError("the rule is empty", span=use.place("rule"))
    path = use.text("fieldPath")
    if path and not path.startswith((".", "[")):
        raise MarkerError(
            f'the path "{path}" does not begin with a dot', span=use.place("fieldPath"), help=f"write .{path}"
        )
    if "\n" in use.text("message"):
        raise MarkerError("the message has several lines", span=use.place("message"))
    optional = use.arguments.get("optionalOldSelf")
    place.notes.validations.append(
        Validation(
            rule=use.text("rule"),
            message=use.text("message"),
            message_expression=use.text("messageExpression"),
            reason=use.text("reason"),
            field_path=path,
            optional_old_self=optional.value is True if optional else None,
            span=use.span,
        )
    )


X_VALIDATION = SchemaMarker(
    f"{_PREFIX}XValidation",
    TYPE_OR_FIELD,
    "Demands that an expression in the Common Expression Language is true; it can be repeated.",
    f'+{_PREFIX}XValidation:rule="self.min <= self.max",message="min must not be above max"',
    RULE_ARGUMENTS,
    apply=_add_rule,
)


def _limit_members(phrase: str, limit: str) -> Callable[[Use, SchemaPlace], None]:
    """Returns the effect of a rule about the number of set fields, with the text and message of controller-gen 0.21."""

    def apply(use: Use, place: SchemaPlace) -> None:
        names = use.texts("")
        if "object" not in place.types:
            message = f"this is for structs, and the value is {one(place.types)}"
            raise MarkerError(message, code="VG525")
        for index, name in enumerate(names):
            if "." in name:
                message, help = (
                    f'"{name}" is not a field of this struct',
                    "put the marker on the struct that has the field",
                )
                raise MarkerError(message, span=use.place(item=index), help=help)
            if place.members and name not in place.members:
                help = did_you_mean(name, place.members, f"its fields are {', '.join(sorted(place.members))}")
                raise MarkerError(f'"{name}" is not a field of this struct', span=use.place(item=index), help=help)
            if name in place.required:
                message, help = f'"{name}" is always set, as it is required', "write +optional on the field"
                raise MarkerError(message, code="VG526", span=use.place(item=index), help=help)
        if names:
            message = phrase.format(f"[{' '.join(names)}]")
            fields = ",".join(f"has(self.{name})" for name in names)
            place.notes.validations.append(
                Validation(f"[{fields}].filter(x,x==true).size() {limit}", message, span=use.span)
            )

    return apply


def _group(name: str, doc: str, order: int, apply: Callable[[Use, SchemaPlace], None]) -> SchemaMarker:
    argument = Argument("", TEXTS, "the JSON names of fields of the struct")
    example = f"+{_PREFIX}{name}=configMap;secret"
    return SchemaMarker(f"{_PREFIX}{name}", frozenset({Target.TYPE}), doc, example, (argument,), order, apply)


GROUPS = (
    _group(
        "AtMostOneOf",
        "Allows one of some fields, or none; it can be repeated.",
        11,
        _limit_members("at most one of the fields in {} may be set", "<= 1"),
    ),
    _group(
        "ExactlyOneOf",
        "Demands one of some fields, and no more; it can be repeated.",
        12,
        _limit_members("exactly one of the fields in {} must be set", "== 1"),
    ),
    _group(
        "AtLeastOneOf",
        "Demands at least one of some fields; it can be repeated.",
        13,
        _limit_members("at least one of the fields in {} must be set", ">= 1"),
    ),
)
