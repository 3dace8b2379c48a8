"""Addresses of fields: parses `Robot.spec.drive`, `robots/v1.Robot.spec.tools[*].weight`, and finds the type.

Without a version, an address means the stored one. Nothing here knows a rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from validation_gen.commands.coverage import is_package
from validation_gen.emit.schema.resources import priority
from validation_gen.ir import Program, TypePlan
from validation_gen.runtime.words import nearest


def find_storage_type(plans: Sequence[TypePlan], program: Program) -> TypePlan | None:
    """Returns the type of the storage version, of types that are versions of each other.

    Without a marker that is the newest, as in definitions. `None` if they are of several groups.
    """
    packages = [program.packages.get(plan.package) for plan in plans]
    found = [(plan, package) for plan, package in zip(plans, packages, strict=True) if package is not None]
    if len(found) < len(plans) or len({package.group for _, package in found}) != 1 or not found[0][1].group:
        return None
    if len({package.version for _, package in found}) < len(found):
        return None
    marked = [plan for plan, package in found if any(root.resource.storage for root in package.roots)]
    newest = max(found, key=lambda each: priority(each[1].version))[0]
    return marked[0] if len(marked) == 1 else newest


def others(plan: TypePlan, program: Program) -> list[str]:
    """Returns the packages with other versions of a kind, if this version is the stored one."""
    package = program.packages.get(plan.package)
    same = [
        each
        for each in program.types.values()
        if each.name == plan.name
        and (there := program.packages.get(each.package)) is not None
        and package is not None
        and there.group == package.group
        and any(root.type == each.id for root in there.roots)
    ]
    if len(same) < 2 or find_storage_type(same, program) is not plan:
        return []
    return sorted(each.package for each in same if each is not plan)


_STEP = re.compile(r"\.(?P<name>[^.\[\]{}]+)|\[(?P<inside>(?:\"[^\"]*\"|[^\[\]\"])*)\]|(?P<values>\{\})")
_EXAMPLE = "write it like Robot.spec.compartments[*].volumeLiters"


class AddressError(Exception):
    """A field or type that cannot be found. The text is the reason, `help` the correct form, `place` the argument."""

    def __init__(self, message: str, help: str = "", place: str = "FIELD") -> None:
        super().__init__(message)
        self.help = help
        self.place = place


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a path: a member, or an item of a list or value of a map; `inside` has the text in brackets."""

    name: str = ""
    inside: str = ""

    def __str__(self) -> str:
        return f".{self.name}" if self.name else f"[{self.inside}]"

    @property
    def terms(self) -> dict[str, str]:
        """Returns the keys that select an item: `name=x` or `{name: x}`, several with commas."""
        pairs = (re.split(r"=|:\s*", part.strip(" {}"), maxsplit=1) for part in self.inside.split(","))
        return {pair[0].strip().strip('"'): pair[1].strip().strip('"') for pair in pairs if len(pair) == 2}


def read_address(text: str, program: Program) -> tuple[TypePlan, tuple[Step, ...]]:
    """Returns the type that a field's path begins with, and the steps from there.

    Of several versions it takes the stored one.

    Raises:
        AddressError: the text is malformed, or there is no such type, or it is ambiguous.
    """
    end = min((at for at in map(text.find, "[{") if at >= 0), default=len(text))
    slash = text.rfind("/", 0, end) + 1
    words = text[slash:end].split(".")
    for count in (1, 2) if slash == 0 else (2, 1):
        *package, name = words[:count]
        path = f"{text[:slash]}{'.'.join(package)}".strip("/")
        found = [plan for plan in program.types.values() if plan.name == name and is_package(plan.package, path)]
        exact = [plan for plan in found if plan.package == path]
        chosen = (exact or found)[0] if len(exact or found) == 1 else find_storage_type(found, program)
        if chosen is not None:
            rest = text[slash + len(".".join(words[:count])) :]
            return chosen, read_steps(rest, text)
        if found:
            names = ", ".join(sorted(f"{plan.package}.{plan.name}" for plan in found))
            raise AddressError(f"{name} could be any of {names}", "name the package too")
    raise _unknown(words[:2], text[:slash], program)


def _unknown(words: list[str], path: str, program: Program) -> AddressError:
    """Returns the error for an unknown type. It suggests names in the right package first, and then everywhere."""
    candidates: dict[str, set[str]] = {}
    for plan in program.types.values():
        candidates.setdefault(plan.name, set()).add(plan.package)
    for word in words:
        near = closest(word, candidates)
        if near:
            return AddressError(
                f"there is no type {path}{'.'.join(words)}".rstrip("."), f"did you mean {either(near)}?"
            )
    kinds = sorted({root.kind for package in program.packages.values() for root in package.roots})
    known = kinds or sorted(candidates)
    named = f"; there is {either(known[:5])}{' and others' if len(known) > 5 else ''}" if known else ""
    return AddressError(f"there is no type {path}{words[0]}", f"{_EXAMPLE}{named}")


def read_steps(text: str, whole: str) -> tuple[Step, ...]:
    """Returns the steps of a path behind its type; `whole` is the path for errors.

    Raises:
        AddressError: the text is malformed.
    """
    found: list[Step] = []
    at = 0
    while at < len(text):
        match = _STEP.match(text, at)
        if match is None:
            raise AddressError(f"{whole} is no path of a field: {text[at:]} cannot be read", _EXAMPLE)
        at = match.end()
        inside = "" if match["name"] else (match["inside"] or "*").strip() or "*"
        found.append(Step(match["name"] or "", inside))
    return tuple(found)


def closest(word: str, known: Iterable[str]) -> list[str]:
    """Returns the known names that are most similar to a word, ignoring case."""
    names: dict[str, list[str]] = {}
    for name in sorted(known):
        names.setdefault(name.casefold(), []).append(name)
    near = nearest(word.casefold(), names, most=3)
    return [name for folded in near for name in names[folded]][:3]


def either(names: list[str]) -> str:
    return " or ".join(names) if len(names) < 3 else f"{', '.join(names[:-1])} or {names[-1]}"
