"""Values of a configuration with their origins, as text and as data, for `validation-gen config show`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from validation_gen.compiler.config import Config
from validation_gen.compiler.config.keys import Key, Setting
from validation_gen.compiler.config.webhooks import EMITTED
from validation_gen.compiler.config.webhooks import KEYS as POLICY_KEYS
from validation_gen.compiler.emitters import POLICIES


@dataclass(frozen=True, slots=True)
class Shown:
    """A value of an option. `source` is its kind of origin, `where` the exact origin."""

    name: str
    value: Any
    source: str
    where: str


def table_values(config: Config) -> dict[str, list[Shown]]:
    """Returns the settings of outputs that only `generate` writes."""
    settings = {POLICIES.name: config.policies, **{name: config.settings.get(name, {}) for name in EMITTED}}
    keys = {POLICIES.name: POLICY_KEYS, **{name: section.keys for name, section in EMITTED.items()}}
    return {
        table: [_of_table(key, settings[table].get(name)) for name, key in sorted(keys[table].items())]
        for table in settings
    }


def _of_table(key: Key, setting: Setting | None) -> Shown:
    if setting is None:
        return Shown(key.name, key.default, "default", "default")
    return Shown(key.name, setting.value, "file", f"{setting.span.file}:{setting.span.line}")


def render_lines(config: Config, found: Mapping[str, list[Shown]]) -> Iterator[str]:
    """Yields the lines of a configuration: the values of each section, levels, suppressions, handwritten validators."""
    yield f"configuration: {config.file.as_posix() if config.file else 'none'}"
    for section, values in found.items():
        yield ""
        yield section
        rows = [(f"  {each.name}", _text(each.value), each.where) for each in values]
        widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
        for name, text, where in rows:
            yield f"{name:{widths[0]}}  {text:{widths[1]}}  {where}"
    yield from _lint_lines(config)
    if config.handwritten:
        yield ""
        yield "handwritten"
        for name, function in config.handwritten.items():
            yield f"  {name}  {function}  {config.spans[name].file}:{config.spans[name].line}"


def _lint_lines(config: Config) -> Iterator[str]:
    if config.levels:
        yield ""
        yield "lint"
        for level in config.levels:
            yield f"  {level.code}  {level.level}{level.reason and '  '}{level.reason}"
    if config.suppressions:
        yield ""
        yield "suppressions"
        for each in config.suppressions:
            what = f"{', '.join(each.codes)} in {', '.join(each.files)}"
            yield f"  {what}: {each.reason}  {each.span.file}:{each.span.line}"


def _text(value: Any) -> str:
    return "-" if value is None or value in ("", []) else json.dumps(value, ensure_ascii=False)


def as_data(config: Config, found: Mapping[str, list[Shown]], tables: Mapping[str, list[Shown]]) -> dict[str, Any]:
    """Returns the same as data for JSON."""
    return {
        "file": config.file.as_posix() if config.file else None,
        "commands": _as_dicts(found),
        "tables": _as_dicts(tables),
        "lint": {each.code: each.level for each in config.levels},
        "suppressions": [
            {
                "codes": list(each.codes),
                "files": list(each.files),
                "reason": each.reason,
                "where": f"{each.span.file}:{each.span.line}",
            }
            for each in config.suppressions
        ],
        "handwritten": dict(config.handwritten),
    }


def _as_dicts(found: Mapping[str, list[Shown]]) -> dict[str, Any]:
    return {
        section: {each.name: {"value": each.value, "source": each.source, "where": each.where} for each in values}
        for section, values in found.items()
    }
