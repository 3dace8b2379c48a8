"""Coverage of tests: the errors that the tags of a program can give, and those that tests have triggered.

The program alone gives the declared errors, as in upstream's coverage tests (tag reference 5.7). Two errors are left
out: those about options that a request does not define, which are a mistake of the request, and those about null items
of lists of pointers, which no tag causes. `report` renders the report. Nothing here reads files or prints.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from validation_gen.diagnostics import Span
from validation_gen.ir import CallType, Modes, PackagePlan, Program, Root, Visit, visit
from validation_gen.mismatch.expected import general_path

ROOT = "<nil>"  # the path of the object itself, as the API server prints it


@dataclass(frozen=True, slots=True, order=True)
class Declared:
    """An error that a tag can give for a kind.

    `path` has `[*]` for every index and key. `api_version` is the package's name in objects, `tag` the tag in canonical
    form, `span` its location, and `place` the type and field that carry it, with the package.
    """

    package: str
    api_version: str
    kind: str
    path: str
    type: str
    origin: str
    tag: str
    span: Span
    place: str = ""


@dataclass(frozen=True, slots=True)
class Observed:
    """An error of a test. `package` is an import path or the end of one; empty names match every kind of that name."""

    kind: str
    path: str
    type: str
    origin: str = ""
    package: str = ""
    api_version: str = ""


@dataclass(frozen=True, slots=True)
class Allowance:
    """Errors that tests need not trigger, with the reason.

    `*` matches every value; `kind` may have the prefix `package.`.
    """

    kind: str
    path: str
    type: str
    origin: str
    reason: str
    span: Span

    def matches(self, rule: Declared) -> bool:
        package, _, kind = self.kind.rpartition(".")
        return (
            kind in ("*", rule.kind)
            and is_package(rule.package, package)
            and self.path in ("*", rule.path or ROOT, rule.path)
            and self.type in ("*", rule.type)
            and self.origin in ("*", rule.origin)
        )


def is_package(path: str, wanted: str) -> bool:
    """Returns whether an import path is, or ends with, a name."""
    wanted = wanted.strip("/")
    return not wanted or path == wanted or path.endswith(f"/{wanted}")


# --- what is declared ------------------------------------------------------------------------------------------------


#: The import path of a package, and the name of a type in it.
Name = tuple[str, str]


def roots(program: Program, names: Collection[Name] | None = None) -> Iterator[tuple[PackagePlan, Root]]:
    """Yields the kinds of the input packages that have validators, or the named types, kinds or not."""
    known = set()
    for package in program.packages.values():
        if package.input and package.path not in program.broken:
            for root in package.roots:
                name = (package.path, root.kind)
                if program.is_sound(root.type) and (names is None or name in names):
                    known.add(name)
                    yield package, root
    for path, kind in sorted(set(names or ()) - known):
        for id in program.packages[path].types if path in program.packages else ():
            if program.types[id].name == kind and program.is_sound(id):
                yield program.packages[path], Root(id, kind, "")


def list_declared_errors(program: Program, names: Collection[Name] | None = None) -> list[Declared]:
    """Returns all errors that the kinds of a program, or the named types, declare, sorted."""
    found = set()
    for package, root in roots(program, names):
        for visited in visit(program, root.type):
            for suffix, type, origin in find_errors(visited):
                tag = visited.tag
                if tag.text and type != "InternalError":
                    path = f"{visited.at.path}{suffix}".removeprefix(".")
                    place = (package.path, package.api_version, root.kind, path)
                    found.add(Declared(*place, type, origin, tag.text, tag.span, tag.place))
    return sorted(found)


def find_errors(visited: Visit) -> Iterator[tuple[str, str, str]]:
    """Yields the path below the value, the type and the origin of each error that a check can give."""
    operation = visited.operation
    if visited.silent or isinstance(operation, CallType):
        return
    if isinstance(operation, Modes):
        yield f".{operation.path}", "FieldValueForbidden", ""
    else:
        yield from ((emission.path, emission.type, emission.origin) for emission in visited.check.emits)


# --- what was seen ---------------------------------------------------------------------------------------------------


_ByPath = dict[str, list[Declared]]


class Index:
    """Finds declared errors by observed ones."""

    def __init__(self, rules: Iterable[Declared]) -> None:
        #: The errors of each package and its API version, by path; and all of these by kind, type and origin.
        self._packages: dict[tuple[str, str, str], dict[tuple[str, str], _ByPath]] = {}
        for rule in rules:
            packages = self._packages.setdefault((rule.kind, rule.type, rule.origin), {})
            packages.setdefault((rule.package, rule.api_version), {}).setdefault(rule.path, []).append(rule)

    def find(self, error: Observed) -> Iterator[Declared]:
        """Yields the declared errors that match an observed one."""
        packages = self._packages.get((error.kind, error.type, error.origin), {})
        for (package, api_version), by_path in packages.items():
            if is_package(package, error.package) and error.api_version in ("", api_version):
                yield from _find_at(error.path, by_path)


def find_triggered_errors(rules: Iterable[Declared], observed: Iterable[Observed]) -> set[Declared]:
    """Returns the declared errors that were observed. Other errors are skipped."""
    index = Index(rules)
    return {rule for error in set(observed) for rule in index.find(error)}


def _find_at(path: str, by_path: _ByPath) -> Sequence[Declared]:
    """Returns the errors at an observed path.

    Paths do not escape the keys of maps. So a key with brackets or dots looks like several elements, and the longest
    declared path that matches wins.
    """
    path = "" if path == ROOT else path
    usual = by_path.get(general_path(path))
    if usual is not None:
        return usual
    possible = [declared for declared in by_path if "[*]" in declared and _can_be(declared, path)]
    return by_path[max(possible, key=len)] if possible else ()


def _can_be(declared: str, path: str) -> bool:
    return re.fullmatch(r"\[.*\]".join(map(re.escape, declared.split("[*]"))), path, re.DOTALL) is not None


# --- what is missing -------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Report:
    """Declared errors in three parts: triggered by tests, allowed to be missing, and missing.

    `stale` are the allowances that excuse nothing, each with the reason.
    """

    rules: list[Declared]
    triggered: set[Declared]
    allowed: dict[Declared, Allowance] = field(default_factory=dict)
    missing: list[Declared] = field(default_factory=list)
    stale: list[tuple[Allowance, str]] = field(default_factory=list)

    @classmethod
    def from_rules(cls, rules: list[Declared], triggered: set[Declared], allowances: Sequence[Allowance]) -> Report:
        """Returns the report of the rules that tests have triggered."""
        report = cls(rules, triggered)
        unseen = [rule for rule in rules if rule not in report.triggered]
        for rule in unseen:
            entry = next((a for a in allowances if a.matches(rule)), None)
            if entry is None:
                report.missing.append(rule)
            else:
                report.allowed[rule] = entry
        for entry in allowances:
            if not any(map(entry.matches, unseen)):
                known = any(map(entry.matches, rules))
                reason = "tests trigger all of its errors" if known else "no tag declares such an error"
                report.stale.append((entry, reason))
        return report
