"""Parses a document to a `Suite`: mistakes in a test file are reported with their locations, and nothing is guessed.

Each key has a type and a meaning, from which the JSON Schema of test files for editors is made, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from validation_gen.commands.cel.suites.files import read_documents
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.kubernetes.manifests import Manifest
from validation_gen.runtime.errors import ErrorType
from validation_gen.runtime.words import nearest

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
    "object": Key(ANY, "The object to validate, or the one with the value of a rule at the path `at`."),
    "file": Key(TEXT, "A file with the object, relative to this one."),
    "old": Key(ANY, "The object as it was before: the case is an update."),
    "oldFile": Key(TEXT, "A file with the old object, relative to this one."),
    "at": Key(TEXT, "Of a rule or expression, its place. Else: errors at other places do not count."),
    "rule": Key(TEXT, "A rule to try alone, which gives true or false."),
    "expression": Key(TEXT, "An expression to try alone."),
    "value": Key(ANY, "What `self` is."),
    "oldValue": Key(ANY, "What `oldSelf` is."),
    "optionalOldSelf": Key(FLAG, "Whether `oldSelf` is an optional."),
    "valid": Key(FLAG, "True if the object is valid, or the rule holds."),
    "errors": Key(f"{LIST}error", "All errors that there are, in any order."),
    "warnings": Key(f"{LIST}warning", "All warnings that there are, in any order."),
    "result": Key(ANY, "What the expression gives."),
    "cost": Key("cost", "What the rules may cost."),
}
_FILE = {
    "crd": Key(TEXT, "The file of the definition, relative to this one."),
    "kind": Key(TEXT, "Which of several definitions in that file."),
    "version": Key(TEXT, "The version of the definition, if not the stored one."),
    "schema": Key(OBJECT, "Instead of `crd`: the schema of the values."),
    "rules": Key(f"{LIST}rule", "Rules of that schema, as in `x-kubernetes-validations`."),
    "cases": Key(f"{LIST}case", "Inputs with the expected answers.", required=True),
}
_ERROR = {
    "path": Key(TEXT, "Where it is, as errors say it: spec.ports[0].name. Left out, it may be anywhere."),
    "message": Key(TEXT, "What it says behind the value."),
    "contains": Key(TEXT, "A part of the text."),
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


#: The path from a document to a part of it.
Keys = tuple[str | int, ...]

#: The types of simple values in Python and in JSON Schema.
_SIMPLE: dict[str, tuple[type, dict[str, Any]]] = {
    TEXT: (str, {"type": "string"}),
    FLAG: (bool, {"type": "boolean"}),
    NUMBER: (int, {"type": "integer", "minimum": 0}),
    OBJECT: (dict, {"type": "object"}),
    ANY: (object, {}),
}


@dataclass(frozen=True, slots=True)
class ExpectedError:
    """An expected error or warning. None matches any value."""

    path: str | None = None
    message: str | None = None
    contains: str | None = None
    type: str | None = None

    def __str__(self) -> str:
        said = [] if self.path is None else [self.path or "<nil>"]
        said += [] if self.type is None else [self.type]
        said += [] if self.message is None else [self.message]
        said += [] if self.contains is None else [f"… {self.contains} …"]
        return ": ".join(said) or "any"


@dataclass(frozen=True, slots=True)
class Case:
    """One case. `given` has its keys as they are written."""

    name: str
    span: Span
    keys: Keys
    given: dict[str, Any]
    errors: tuple[ExpectedError, ...] | None = None
    warnings: tuple[ExpectedError, ...] | None = None

    @property
    def text(self) -> str | None:
        """The rule or expression of the case itself."""
        text: str | None = self.given.get("rule", self.given.get("expression"))
        return text

    @property
    def valid(self) -> bool | None:
        """True if no error is expected, False if any is; None if `errors` lists them."""
        if self.errors is not None:
            return None if self.errors else True
        valid: bool = self.given.get("valid", True)
        return valid

    @property
    def most_cost(self) -> int | None:
        cost: int | None = (self.given.get("cost") or {}).get("most")
        return cost


@dataclass(frozen=True, slots=True)
class Suite:
    """A document with tests."""

    manifest: Manifest
    given: dict[str, Any]
    cases: list[Case] = field(default_factory=list)

    @property
    def file(self) -> str:
        return self.manifest.file

    def span(self, *keys: str | int) -> Span:
        """Returns the location of a part of the document."""
        return self.manifest.positions.span(keys)


def read_suites(file: Path, diagnostics: Diagnostics) -> list[Suite]:
    """Reads the tests in a file. A document with mistakes is reported and skipped."""
    found = []
    for manifest in read_documents(file, diagnostics):
        reader = _Reader(manifest)
        suite = reader.suite()
        diagnostics.extend(reader.diagnostics.items)
        if not reader.diagnostics.has_errors:
            found.append(suite)
    return found


@dataclass(slots=True)
class _Reader:
    manifest: Manifest
    diagnostics: Diagnostics = field(default_factory=Diagnostics)

    def wrong(self, keys: Keys, message: str, help: str) -> None:
        self.diagnostics.error("VG912", message, self.manifest.positions.span(keys), help)

    def suite(self) -> Suite:
        given = self.manifest.obj
        self.check_types(given, "file", ())
        suite = Suite(self.manifest, given if isinstance(given, dict) else {})
        if self.diagnostics.has_errors:
            return suite
        self.file(given)
        for index, case in enumerate(given["cases"]):
            suite.cases.append(self.case(case, index))
        return suite

    # --- types --------------------------------------------------------------------------------------------------------

    def check_types(self, value: Any, type: str, keys: Keys) -> None:
        """Reports the parts of a value that have another type."""
        if type.startswith(LIST):
            inner = type.removeprefix(LIST)
            if not isinstance(value, list):
                self.wrong(keys, f"{_render_keys(keys)} is not a list", f"write a list, with `- ` before each {inner}")
                return
            for index, item in enumerate(value):
                self.check_types(item, inner, (*keys, index))
            return
        if not _is(value, type):
            named = type if type in _SIMPLE else _article(type)
            more = "" if type in _SIMPLE else f" with {_join(type)}"
            self.wrong(keys, f"{_render_keys(keys)} is not {named}", f"write {named}{more}")
        elif type in TABLES:
            self.table(value, type, keys)

    def table(self, value: dict[str, Any], name: str, keys: Keys) -> None:
        table = TABLES[name]
        for key, item in value.items():
            if key in table:
                self.check_types(item, table[key].type, (*keys, key))
                continue
            near = nearest(key, table)
            help = f"did you mean {near[0]}?" if near else f"{_article(name)} has {_join(name)}"
            self.wrong((*keys, key), f"{_article(name)} has no key {key}", help)
        for key, declared in table.items():
            if declared.required and key not in value:
                self.wrong(keys, f"{_article(name)} needs {key}", f"add `{key}:`: {declared.doc}")

    # --- contradictions ----------------------------------------------------------------------------------------------

    def file(self, given: dict[str, Any]) -> None:
        if "crd" in given and "schema" in given:
            self.wrong(("schema",), "a file has a crd or a schema, not both", "keep one of the two")
        for name, other in (("version", "crd"), ("kind", "crd"), ("rules", "schema")):
            if name in given and other not in given:
                self.wrong((name,), f"{name} needs {other}", f"add `{other}:`: {TABLES['file'][other].doc}")
        if not given["cases"]:
            self.wrong(("cases",), "there are no cases", "add one: - {name: …, object: …, valid: true}")

    def case(self, given: dict[str, Any], index: int) -> Case:
        keys: Keys = ("cases", index)
        for message, help in _contradictions(given, bool({"crd", "schema"} & self.manifest.obj.keys())):
            self.wrong(keys, message, help)
        errors = self.wanted(given, "errors", keys)
        warnings = self.wanted(given, "warnings", keys)
        span = self.manifest.positions.span((*keys, "name") if "name" in given else keys)
        text = str(given.get("rule") or given.get("expression") or "").strip()
        name = str(given.get("name") or given.get("file") or text or f"case {index + 1}")
        return Case(name, span, keys, given, errors, warnings)

    def wanted(self, given: dict[str, Any], name: str, keys: Keys) -> tuple[ExpectedError, ...] | None:
        if name not in given:
            return None
        found = []
        for index, each in enumerate(given[name]):
            here = (*keys, name, index)
            if not each:
                self.wrong(here, "it has no expectation", f"write {_join(name[:-1])}")
            type = each.get("type")
            short = None if type is None else type.removeprefix("FieldValue")
            if short is not None and short not in TYPES:
                near = nearest(short, TYPES)
                help = f"did you mean {near[0]}?" if near else f"write one of {', '.join(TYPES)}"
                self.wrong((*here, "type"), f"there is no type {type}", help)
            path = each.get("path")
            path = None if path is None else path.removeprefix(".").replace("<nil>", "")
            found.append(ExpectedError(path, each.get("message"), each.get("contains"), short))
        return tuple(found)


def _is(value: Any, type: str) -> bool:
    if type == NUMBER:
        return isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return isinstance(value, _SIMPLE[type][0] if type in _SIMPLE else dict)


_SUBJECTS = ("object", "file", "value")
_VERDICTS = ("valid", "errors", "warnings", "result", "cost")


def _contradictions(given: dict[str, Any], has_schema: bool) -> Iterator[tuple[str, str]]:
    """Yields the contradictions in a case, each with a help text."""
    alone = "rule" in given or "expression" in given
    if not set(_VERDICTS) & given.keys():
        yield "the case has no expectation", "add `valid: true`, or `errors:` with a list of errors"
    for names in (_SUBJECTS, ("old", "oldFile", "oldValue"), ("rule", "expression")):
        several = [name for name in names if name in given]
        if len(several) > 1:
            yield f"the case has {' and '.join(several)}", "keep one of them"
    if not set(_SUBJECTS) & given.keys():
        yield "the case has no input", f"add `{'value' if alone else 'object'}:`, or `file:` with a path"
    if not alone and not has_schema:
        yield "there is no definition and no rule", "add `crd:` with a path to the file, or `rule:` to the case"
    if not alone and "optionalOldSelf" in given:
        yield "optionalOldSelf is for a rule or expression", "take it out"
    if given.get("valid") and given.get("errors"):
        yield "the case is valid and has errors", "keep one of the two"
    if given.get("valid") is False and given.get("errors") == []:
        yield "the case is not valid and has no errors", "keep one of the two"
    if "result" in given and "expression" not in given:
        yield "result is for an expression", "write `valid:`, or `expression:` instead of `rule:`"
    if "expression" in given and "valid" in given:
        yield "valid does not apply to an expression", "write `result:` with the value that it gives"
    if alone and "warnings" in given:
        yield "a rule alone gives no warnings", "remove `warnings:`, or use an object"
    if "oldValue" in given and "value" not in given:
        yield "oldValue is for a value", "write `old:` with the old object"


def _article(name: str) -> str:
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"


def _join(name: str) -> str:
    *most, last = TABLES[name]
    return f"{', '.join(most)} or {last}" if most else last


def _render_keys(keys: Keys) -> str:
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys).lstrip(".") or "the document"


def schema() -> dict[str, Any]:
    """Returns the schema, in draft 7, which all editors support."""
    tables = {name: _table(keys) for name, keys in TABLES.items()}
    tables["case"]["anyOf"] = [{"required": [name]} for name in _VERDICTS]
    tables["error"]["properties"]["type"]["enum"] = [*TYPES, *(f"FieldValue{name}" for name in TYPES[:-1])]
    head = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "celtest",
        "description": "Tests of CEL rules for `validation-gen cel test`: *.celtest.yaml.",
    }
    return {**head, **tables.pop("file"), "definitions": tables}


def _table(keys: dict[str, Key]) -> dict[str, Any]:
    required = [name for name, key in keys.items() if key.required]
    found: dict[str, Any] = {
        "type": "object",
        "properties": {name: {**_type(key.type), "description": key.doc} for name, key in keys.items()},
        "additionalProperties": False,
    }
    return {**found, "required": required} if required else found


def _type(name: str) -> dict[str, Any]:
    if name.startswith(LIST):
        return {"type": "array", "items": _type(name.removeprefix(LIST))}
    # In draft 7, keywords beside a reference are ignored.
    return dict(_SIMPLE[name][1]) if name in _SIMPLE else {"allOf": [{"$ref": f"#/definitions/{name}"}]}
