"""Keys of a test file: each with its type and meaning, for the reader and for editors."""

from __future__ import annotations

from dataclasses import dataclass

from validation_gen.runtime.errors import ErrorType

#: Types of values, as messages name them. A name of `TABLES` is one, too, and with `list of ` before it a list.
TEXT, FLAG, NUMBER, OBJECT, ANY = "a text", "true or false", "a whole number", "an object", "any value"
LIST = "list of "


@dataclass(frozen=True, slots=True)
class Key:
    """A key, the type of its value, and its meaning."""

    type: str
    doc: str
    required: bool = False


#: The server's reason for a malformed request.
BAD_REQUEST = "BadRequest"
#: The types of errors, by their names in tests.
TYPES = (*(each.value.removeprefix("FieldValue") for each in ErrorType), BAD_REQUEST)

_RULE = {
    "rule": Key(TEXT, "The expression.", required=True),
    "message": Key(TEXT, "The message when it does not hold."),
    "messageExpression": Key(TEXT, "An expression that gives the message."),
    "reason": Key(TEXT, "The type of the error."),
    "fieldPath": Key(TEXT, "The field that the error is about."),
    "optionalOldSelf": Key(FLAG, "Whether the rule runs without an old value, too."),
}
_CASE = {
    "name": Key(TEXT, "What the case is about. Reports have it."),
    "object": Key(ANY, "The object to judge, or the one that has the value of a rule at the place `at`."),
    "file": Key(TEXT, "A file with the object, relative to this one."),
    "old": Key(ANY, "The object as it was before: the case is an update."),
    "oldFile": Key(TEXT, "A file with the old object, relative to this one."),
    "at": Key(TEXT, "Of a rule or expression, its place. Else: errors at other places do not count."),
    "rule": Key(TEXT, "A rule to try alone, which gives true or false."),
    "expression": Key(TEXT, "An expression to try alone."),
    "value": Key(ANY, "What `self` is."),
    "oldValue": Key(ANY, "What `oldSelf` is."),
    "optionalOldSelf": Key(FLAG, "Whether `oldSelf` is an optional."),
    "valid": Key(FLAG, "Whether nothing is wrong. Of a rule: whether it holds."),
    "errors": Key(f"{LIST}error", "All errors that there are, in any order."),
    "warnings": Key(f"{LIST}warning", "All warnings that there are, in any order."),
    "result": Key(ANY, "What the expression gives."),
    "cost": Key("cost", "What the rules may cost."),
}
_FILE = {
    "crd": Key(TEXT, "The file of the definition, relative to this one."),
    "kind": Key(TEXT, "Which of several definitions in that file."),
    "version": Key(TEXT, "The version of the definition, if not the stored one."),
    "schema": Key(OBJECT, "Instead of `crd`: the schema of the values that are judged."),
    "rules": Key(f"{LIST}rule", "Rules of that schema, as in `x-kubernetes-validations`."),
    "cases": Key(f"{LIST}case", "What is tried, and what is expected.", required=True),
}
_ERROR = {
    "path": Key(TEXT, "Where it is, as errors say it: spec.ports[0].name. Left out, it may be anywhere."),
    "message": Key(TEXT, "What it says behind the value."),
    "contains": Key(TEXT, "A part of what it says."),
    "type": Key(TEXT, f"Its type: {', '.join(TYPES)}."),
}
_WARNING = {
    "message": Key(TEXT, "The whole warning."),
    "contains": Key(TEXT, "A part of the warning."),
}
_COST = {"most": Key(NUMBER, "What all expressions of the case may cost together.", required=True)}

#: The objects of a file. The outermost is a `file`.
TABLES: dict[str, dict[str, Key]] = {
    "file": _FILE,
    "rule": _RULE,
    "case": _CASE,
    "error": _ERROR,
    "warning": _WARNING,
    "cost": _COST,
}
