"""The table `lint` and the list `suppressions`: how much rules matter, and where their findings are passed over.

[tool.validation-gen.lint]
VG411 = "off"

[[tool.validation-gen.suppressions]]
codes = ["VG415"]
files = ["apis/v1/*.go"]
reason = "released before anyone looked"
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from validation_gen.config.findings import kind_of, nearest, report
from validation_gen.config.places import Path, Places
from validation_gen.diagnostics import CODES, Diagnostics
from validation_gen.lintlevels import LEVELS, FileSuppression

#: About suppressions themselves. They have no rule, but they matter more or less as well.
_OF_SUPPRESSIONS = ("VG498", "VG499")
_EXAMPLE = 'write [[suppressions]] with codes = ["VG411"], files = ["apis/v1/*.go"] and reason = "…"'
_KEYS = ("codes", "files", "reason")


def lint_codes() -> dict[str, str]:
    """The codes of lint by the names that may stand for them, which are the codes and the names of rules."""
    from validation_gen.lint.registry import lint_rules  # noqa: PLC0415 - whoever writes codes does not wait for it

    return {rule.name: code for code, rule in lint_rules().items()} | {code: code for code in _codes()}


def _codes() -> list[str]:
    return [code for code in CODES if code.startswith("VG4")]


def _code(name: Any) -> str | None:
    """The code that a name stands for."""
    if not isinstance(name, str):
        return None
    if re.fullmatch(r"VG4\d\d", name):
        return name if name in CODES else None
    return lint_codes().get(name)


def _unknown(name: str) -> str:
    """What to write instead of a name."""
    wanted = name.upper()
    if wanted in _codes():
        return f"did you mean {wanted}?"
    near = nearest(name, [each for each in lint_codes() if not each.startswith("VG")])
    return near if near.startswith("did") else "validation-gen explain lists the codes, VG401 to VG499"


def read_levels(
    table: dict[str, Any], at: Path, places: Places, diagnostics: Diagnostics
) -> tuple[tuple[str, str], ...]:
    """The level of each rule that the table names."""
    found: dict[str, str] = {}
    for name, level in table.items():
        code = _code(name)
        if code is None:
            report(diagnostics, f"there is no lint rule {name}", places.key((*at, name)), _unknown(name))
        elif not isinstance(level, str):
            help = f'write {name} = "off"'
            report(diagnostics, f"the level of {name} is {kind_of(level)}", places.value((*at, name)), help)
        elif level not in LEVELS:
            report(diagnostics, f'there is no level "{level}"', places.value((*at, name)), nearest(level, LEVELS))
        elif found.get(code, level) != level:
            message = f"{name} is {code}, which has another level already"
            report(diagnostics, message, places.key((*at, name)), "remove one of the two")
        else:
            found[code] = level
    return tuple(sorted(found.items()))


def read_suppressions(
    entries: Any, at: Path, root: str, places: Places, diagnostics: Diagnostics
) -> Iterator[FileSuppression]:
    """The entries of the list; those that are malformed are reported and left out."""
    if not isinstance(entries, list):
        report(
            diagnostics, f"suppressions is {kind_of(entries)}, and takes an array of tables", places.key(at), _EXAMPLE
        )
        return
    for index, entry in enumerate(entries):
        path = (*at, index)
        if not isinstance(entry, dict):
            report(diagnostics, f"a suppression is {kind_of(entry)}, and must be a table", places.value(path), _EXAMPLE)
            continue
        known = len(diagnostics.items)
        for name in entry.keys() - set(_KEYS):
            report(diagnostics, f"a suppression has no {name}", places.key((*path, name)), nearest(name, _KEYS))
        names = _texts(entry, "codes", path, places, diagnostics)
        files = _texts(entry, "files", path, places, diagnostics)
        reason = entry.get("reason", "")
        if not isinstance(reason, str):
            message = f"the reason is {kind_of(reason)}, and must be a string"
            report(diagnostics, message, places.value((*path, "reason")), 'write reason = "…"')
        codes = []
        for number, name in enumerate(names):
            code = _code(name)
            if code is None or code in _OF_SUPPRESSIONS:
                span = places.value((*path, "codes", number))
                report(diagnostics, f"there is no lint rule {name}", span, _unknown(name))
            else:
                codes.append(code)
        if len(diagnostics.items) == known:
            yield FileSuppression(tuple(codes), tuple(files), reason.strip(), root, places.key(path))


def _texts(entry: dict[str, Any], name: str, at: Path, places: Places, diagnostics: Diagnostics) -> list[str]:
    """The texts below a key that every suppression has."""
    texts = entry.get(name)
    if name not in entry:
        report(diagnostics, f"a suppression names no {name}", places.key(at), _EXAMPLE)
    elif not isinstance(texts, list) or not texts or not all(isinstance(text, str) and text for text in texts):
        help = 'write codes = ["VG411"]' if name == "codes" else 'write files = ["apis/v1/*.go"]'
        report(diagnostics, f"{name} of a suppression is no array of strings", places.value((*at, name)), help)
    else:
        return texts
    return []
