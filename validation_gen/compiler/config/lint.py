"""The table `lint` and the list `suppressions`: how much codes matter, and where findings of lint are skipped.

[tool.validation-gen.lint]
VG301 = "error"
VG411 = "off"
VG103 = { level = "off", reason = "tags of another generator" }

[[tool.validation-gen.suppressions]]
codes = ["VG415"]
files = ["apis/v1/*.go"]
reason = "released before anyone looked"
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from validation_gen.compiler.config.files import KeyPath as Path
from validation_gen.compiler.config.files import Places
from validation_gen.compiler.config.keys import instead, name_kind, report
from validation_gen.diagnostics import CODES, Diagnostics
from validation_gen.diagnostics.levels import LEVELS, OF_THE_RUN, FileSuppression, Level

#: About suppressions themselves. They have no rule, but they matter more or less as well.
_OF_SUPPRESSIONS = ("VG498", "VG499")
_EXAMPLE = 'write [[suppressions]] with codes = ["VG411"], files = ["apis/v1/*.go"] and reason = "…"'
_KEYS = ("codes", "files", "reason")


def lint_codes() -> dict[str, str]:
    """Returns the codes of lint by their names: the codes themselves and the names of rules."""
    from validation_gen.compiler.lint.survey import lint_rules  # noqa: PLC0415 - codes need no registry

    return {rule.name: code for code, rule in lint_rules().items()} | {code: code for code in _codes()}


def _codes() -> list[str]:
    return [code for code in CODES if code.startswith("VG4")]


def _code(name: Any) -> str | None:
    """Returns the code of a name."""
    if not isinstance(name, str):
        return None
    if re.fullmatch(r"VG4\d\d", name):
        return name if name in CODES else None
    return lint_codes().get(name)


def _suggest(name: str, codes: Iterable[str], span: str = "") -> str:
    """Suggests a correction for the name of a lint rule or for one of the codes. `span` is the range of the codes."""
    wanted = name.upper()
    if wanted in codes:
        return f"did you mean {wanted}?"
    near = instead(name, [each for each in lint_codes() if not each.startswith("VG")])
    return near if near.startswith("did") else f"validation-gen explain lists the codes{span}"


def level_codes() -> dict[str, str]:
    """Returns the codes that have levels by their names."""
    return lint_codes() | {code: code for code in CODES if not code.startswith(OF_THE_RUN)}


def read_levels(table: dict[str, Any], at: Path, places: Places, diagnostics: Diagnostics) -> tuple[Level, ...]:
    """Returns the level of each code that the table names."""
    found: dict[str, Level] = {}
    for name, value in table.items():
        path = (*at, name)
        code = name if re.fullmatch(r"VG\d\d\d", name) else lint_codes().get(name)
        if code not in CODES:
            report(diagnostics, f"there is no code and no lint rule {name}", places.key(path), _suggest(name, CODES))
        elif code.startswith(OF_THE_RUN):
            message = f"{code} is about the run itself, and has no level"
            report(diagnostics, message, places.key(path), "remove it, and fix what it finds")
        elif (level := _level(code, name, value, path, places, diagnostics)) is None:
            continue
        elif code in found and found[code].level != level.level:
            message = f"{name} is {code}, which has another level already"
            report(diagnostics, message, places.key(path), "remove one of the two")
        else:
            found[code] = level
    return tuple(found[code] for code in sorted(found))


def _level(code: str, name: str, value: Any, path: Path, places: Places, diagnostics: Diagnostics) -> Level | None:
    """Returns a level: a text, or a table with a reason. Codes other than those of lint need a reason to be off."""
    wanted = f'{name} = {{ level = "off", reason = "…" }}'
    entry = value if isinstance(value, dict) else {"level": value}
    place = path if entry is not value else (*path, "level")
    level, reason = entry.get("level"), entry.get("reason", "")
    for key in entry.keys() - {"level", "reason"}:
        report(diagnostics, f"a level has no {key}", places.key((*path, key)), f"write {wanted}")
    if "level" not in entry:
        report(diagnostics, f"{name} names no level", places.key(path), f"write {wanted}")
    elif not isinstance(level, str):
        help = f'write {name} = "off"' if code in _codes() else f"write {wanted}"
        report(diagnostics, f"the level of {name} is {name_kind(level)}", places.value(place), help)
    elif level not in LEVELS:
        report(diagnostics, f'there is no level "{level}"', places.value(place), instead(level, LEVELS))
    elif not isinstance(reason, str):
        message = f"the reason is {name_kind(reason)}, and must be a string"
        report(diagnostics, message, places.value((*path, "reason")), 'write reason = "…"')
    elif level == "off" and not reason.strip() and code not in _codes():
        report(diagnostics, f"{name} is off without a reason", places.value(place), f"write {wanted}")
    else:
        return Level(code, level, reason.strip(), places.key(path))
    return None


def read_suppressions(
    entries: Any, at: Path, root: str, places: Places, diagnostics: Diagnostics
) -> Iterator[FileSuppression]:
    """Yields the entries of the list; those that are malformed are reported and left out."""
    if not isinstance(entries, list):
        message = f"suppressions is {name_kind(entries)}, and takes an array of tables"
        report(diagnostics, message, places.key(at), _EXAMPLE)
        return
    for index, entry in enumerate(entries):
        path = (*at, index)
        if not isinstance(entry, dict):
            message = f"a suppression is {name_kind(entry)}, and must be a table"
            report(diagnostics, message, places.value(path), _EXAMPLE)
            continue
        known = len(diagnostics.items)
        for name in entry.keys() - set(_KEYS):
            report(diagnostics, f"a suppression has no {name}", places.key((*path, name)), instead(name, _KEYS))
        names = _texts(entry, "codes", path, places, diagnostics)
        files = _texts(entry, "files", path, places, diagnostics)
        reason = entry.get("reason", "")
        if not isinstance(reason, str):
            message = f"the reason is {name_kind(reason)}, and must be a string"
            report(diagnostics, message, places.value((*path, "reason")), 'write reason = "…"')
        codes = []
        for number, name in enumerate(names):
            code = _code(name)
            if code is None or code in _OF_SUPPRESSIONS:
                span = places.value((*path, "codes", number))
                report(diagnostics, f"there is no lint rule {name}", span, _suggest(name, _codes(), ", VG401 to VG499"))
            else:
                codes.append(code)
        if len(diagnostics.items) == known:
            yield FileSuppression(tuple(codes), tuple(files), reason.strip(), root, places.key(path))


def _texts(entry: dict[str, Any], name: str, at: Path, places: Places, diagnostics: Diagnostics) -> list[str]:
    """Returns the texts below a key that every suppression has."""
    texts = entry.get(name)
    if name not in entry:
        report(diagnostics, f"a suppression names no {name}", places.key(at), _EXAMPLE)
    elif not isinstance(texts, list) or not texts or not all(isinstance(text, str) and text for text in texts):
        help = 'write codes = ["VG411"]' if name == "codes" else 'write files = ["apis/v1/*.go"]'
        report(diagnostics, f"{name} of a suppression is no array of strings", places.value((*at, name)), help)
    else:
        return texts
    return []
