"""Parses a document to a `Suite`: mistakes in a test file are reported with their locations, and nothing is guessed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.kubernetes.manifests import Manifest
from validation_gen.runtime.words import nearest
from validation_gen.uses.cel.suites.files import read_documents
from validation_gen.uses.cel.suites.keys import ANY, FLAG, LIST, NUMBER, OBJECT, TABLES, TEXT, TYPES

#: The path from a document to a part of it.
Keys = tuple[str | int, ...]

_PYTHON: dict[str, type] = {TEXT: str, FLAG: bool, NUMBER: int, OBJECT: dict}


@dataclass(frozen=True, slots=True)
class Wanted:
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
    errors: tuple[Wanted, ...] | None = None
    warnings: tuple[Wanted, ...] | None = None

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
        """Returns the location of a part of it."""
        return self.manifest.positions.span(keys)


def read_suites(file: Path, diagnostics: Diagnostics) -> list[Suite]:
    """Reads the tests in a file. A document with mistakes is reported and skipped."""
    found = []
    for manifest in read_documents(file, diagnostics):
        reader = _Reader(manifest)
        suite = reader.suite()
        for each in reader.diagnostics.items:
            diagnostics.add(each)
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
        self.typed(given, "file", ())
        suite = Suite(self.manifest, given if isinstance(given, dict) else {})
        if self.diagnostics.has_errors:
            return suite
        self.file(given)
        for index, case in enumerate(given["cases"]):
            suite.cases.append(self.case(case, index))
        return suite

    # --- types --------------------------------------------------------------------------------------------------------

    def typed(self, value: Any, type: str, keys: Keys) -> None:
        """Reports the parts of a value that have another type."""
        if type == ANY:
            return
        if type.startswith(LIST):
            inner = type.removeprefix(LIST)
            if not isinstance(value, list):
                self.wrong(keys, f"{_shown(keys)} is no list", f"write a list, with `- ` before each {inner}")
                return
            for index, item in enumerate(value):
                self.typed(item, inner, (*keys, index))
            return
        if not _is(value, type):
            named = type if type in _PYTHON else _article(type)
            more = "" if type in _PYTHON else f" with {_listed(type)}"
            self.wrong(keys, f"{_shown(keys)} is not {named}", f"write {named}{more}")
        elif type in TABLES:
            self.table(value, type, keys)

    def table(self, value: dict[str, Any], name: str, keys: Keys) -> None:
        table = TABLES[name]
        for key, item in value.items():
            if key in table:
                self.typed(item, table[key].type, (*keys, key))
                continue
            near = nearest(key, table)
            help = f"did you mean {near[0]}?" if near else f"{_article(name)} has {_listed(name)}"
            self.wrong((*keys, key), f"{_article(name)} has no key {key}", help)
        for key, declared in table.items():
            if declared.required and key not in value:
                self.wrong(keys, f"{_article(name)} needs {key}", f"add `{key}:`: {declared.doc}")

    # --- contradictions
    # ------------------------------------------------------------------------------------------------

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
        name = given.get("name") or given.get("file") or _text_of(given) or f"case {index + 1}"
        return Case(str(name), span, keys, given, errors, warnings)

    def wanted(self, given: dict[str, Any], name: str, keys: Keys) -> tuple[Wanted, ...] | None:
        if name not in given:
            return None
        found = []
        for index, each in enumerate(given[name]):
            here = (*keys, name, index)
            if not each:
                self.wrong(here, "it does not say what is expected", f"write {_listed(name[:-1])}")
            type = each.get("type")
            short = None if type is None else type.removeprefix("FieldValue")
            if short is not None and short not in TYPES:
                near = nearest(short, TYPES)
                help = f"did you mean {near[0]}?" if near else f"write one of {', '.join(TYPES)}"
                self.wrong((*here, "type"), f"there is no type {type}", help)
            path = each.get("path")
            path = None if path is None else path.removeprefix(".").replace("<nil>", "")
            found.append(Wanted(path, each.get("message"), each.get("contains"), short))
        return tuple(found)


def _is(value: Any, type: str) -> bool:
    if type == NUMBER:
        return isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return isinstance(value, _PYTHON.get(type, dict))


_SUBJECTS = ("object", "file", "value")


def _contradictions(given: dict[str, Any], has_schema: bool) -> Iterator[tuple[str, str]]:
    """Yields the contradictions in a case, each with a help text."""
    alone = "rule" in given or "expression" in given
    if not {"valid", "errors", "warnings", "result", "cost"} & given.keys():
        yield "the case does not say what is expected", "add `valid: true`, or `errors:` with a list of errors"
    for names in (_SUBJECTS, ("old", "oldFile", "oldValue"), ("rule", "expression")):
        several = [name for name in names if name in given]
        if len(several) > 1:
            yield f"the case has {' and '.join(several)}", "keep one of them"
    if not set(_SUBJECTS) & given.keys():
        yield "the case has nothing to judge", f"add `{'value' if alone else 'object'}:`, or `file:` with a path"
    if not alone and not has_schema:
        yield "there is nothing to judge by", "add `crd:` with a path to the file, or `rule:` to the case"
    if not alone and "optionalOldSelf" in given:
        yield "optionalOldSelf is for a rule or expression", "take it out"
    if given.get("valid") and given.get("errors"):
        yield "the case is valid and has errors", "keep one of the two"
    if given.get("valid") is False and given.get("errors") == []:
        yield "the case is not valid and has no errors", "keep one of the two"
    if "result" in given and "expression" not in given:
        yield "result is for an expression", "write `valid:`, or `expression:` instead of `rule:`"
    if "expression" in given and "valid" in given:
        yield "valid says nothing of an expression", "write `result:` with the value that it gives"
    if alone and "warnings" in given:
        yield "a rule alone gives no warnings", "take `warnings:` out, or judge an object"
    if "oldValue" in given and "value" not in given:
        yield "oldValue is for a value", "write `old:` with the old object"


def _text_of(given: dict[str, Any]) -> str:
    return str(given.get("rule") or given.get("expression") or "").strip()


def _article(name: str) -> str:
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"


def _listed(name: str) -> str:
    *most, last = TABLES[name]
    return f"{', '.join(most)} or {last}" if most else last


def _shown(keys: Keys) -> str:
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys).lstrip(".") or "the document"
