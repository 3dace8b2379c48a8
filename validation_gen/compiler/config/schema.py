"""Describes the keys of a configuration, for editors (JSON Schema) and for people, from their declarations."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import Any

from validation_gen.compiler.config.keys import COMMON, Key, output_options
from validation_gen.compiler.config.lint import level_codes, lint_codes
from validation_gen.compiler.config.reading import Sections
from validation_gen.compiler.config.webhooks import KEYS as POLICY_KEYS
from validation_gen.diagnostics import CODES
from validation_gen.diagnostics.levels import LEVELS

_FUNCTION = r"^[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*$"
_ABOUT = "Configuration of validation-gen: validation-gen.toml, or [tool.validation-gen] in pyproject.toml."


def as_schema(sections: Sections) -> dict[str, Any]:
    """Returns the JSON Schema of a `validation-gen.toml`. It is of draft 7, which editors for TOML know."""
    properties: dict[str, Any] = {name: _common(name, sections) for name in COMMON}
    text = {"type": "string", "minLength": 1}
    outputs = dict.fromkeys(output_options(), text)
    properties["outputs"] = _object("Where each output goes, by its name.", outputs)
    levels = {name: _level(name) for name in sorted(level_codes())}
    properties["lint"] = _object("How much a finding matters, by its code or the name of its lint rule.", levels)
    properties["suppressions"] = {
        "type": "array",
        "description": "Findings of lint rules that are skipped in some files.",
        "items": {
            "type": "object",
            "properties": {
                "codes": _array({"enum": sorted(n for n in lint_codes() if n not in {"VG498", "VG499"})}, least=1),
                "files": _array(text, least=1),
                "reason": {"type": "string", "description": "Why. A suppression without a reason is a finding."},
            },
            "required": ["codes", "files"],
            "additionalProperties": False,
        },
    }
    properties["handwritten"] = {
        "type": "object",
        "description": "The handwritten validator of each type, as MODULE:FUNCTION.",
        "additionalProperties": {"type": "string", "pattern": _FUNCTION},
    }
    policies = {key.name: _property(key) for key in POLICY_KEYS.values()}
    properties["policies"] = _object("What admission policies are like that are written.", policies)
    for name in sections.names:
        section = sections.load(name)
        about = f"What holds for `validation-gen {' '.join(section.command)}` only."
        table = properties.setdefault(name, _object(about, {}))
        table["properties"] |= {key.name: _property(key) for key in section.keys.values()}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "validation-gen",
        "description": _ABOUT,
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        "definitions": {
            "level": {
                "type": "object",
                "properties": {"level": {"enum": list(LEVELS)}, "reason": {"type": "string"}},
                "required": ["level"],
                "additionalProperties": False,
            }
        },
    }


def _object(description: str, properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "description": description,
        "properties": properties,
        "additionalProperties": False,
    }


def _level(name: str) -> dict[str, Any]:
    """Returns the schema of a level; for other codes than lint `off` needs a reason."""
    plain = [level for level in LEVELS if level != "off" or name in lint_codes()]
    return {"anyOf": [{"enum": plain}, {"$ref": "#/definitions/level"}]}


def _common(name: str, sections: Sections) -> dict[str, Any]:
    """Returns the schema of a common key, which accepts the values of any command with that key."""
    found: list[dict[str, Any]] = []
    for key in sections.with_key(name):
        if name != "inputs" or key.parameter == "paths":
            each = _property(key)
            if each not in found:
                found.append(each)
    if len(found) == 1:
        return found[0]
    shapes = [{word: value for word, value in each.items() if word not in {"description", "default"}} for each in found]
    unlike = [each for index, each in enumerate(shapes) if each not in shapes[:index]]
    first = {"description": found[0]["description"]}
    return first | (unlike[0] if len(unlike) == 1 else {"anyOf": unlike})


def _property(key: Key) -> dict[str, Any]:
    item: dict[str, Any] = {"type": key.type}
    if key.choices:
        item = {"enum": list(key.choices)}
    elif key.path:
        item["minLength"] = 1
    if key.minimum is not None:
        item["minimum"] = key.minimum
    if key.maximum is not None:
        item["maximum"] = key.maximum
    if key.form:
        item["pattern"] = f"^(?:{key.form})$"
    if key.table:
        names = {"minLength": 1, "pattern": "^[^=]*$"}
        item = {"type": "object", "propertyNames": names, "additionalProperties": item}
    elif key.many:
        item = _array(item)
    if not key.many and key.default not in (None, ""):
        item["default"] = key.default
    return item | {"description": key.help}


def _array(item: dict[str, Any], *, least: int = 0) -> dict[str, Any]:
    return {"type": "array", "items": item} | ({"minItems": least} if least else {})


# --- for people ------------------------------------------------------------------------------------------------------


def as_markdown(sections: Sections) -> str:
    """Returns a page with all keys."""
    return "\n".join(_markdown(sections)) + "\n"


def _markdown(sections: Sections) -> Iterator[str]:
    yield "# Keys of the configuration"
    yield ""
    yield "`validation-gen config schema --format markdown` prints this page, made from the options of the commands."
    yield "[configuration.md](configuration.md) describes the location of a configuration, and its precedence."
    yield ""
    yield "## For all commands"
    yield ""
    yield "These stand at the top and hold for each command that has such an option."
    yield ""
    yield "| Key | Value | Meaning |"
    yield "|---|---|---|"
    for name in COMMON:
        keys = [key for key in sections.with_key(name) if name != "inputs" or key.parameter == "paths"]
        choices = tuple(dict.fromkeys(choice for key in keys for choice in key.choices))
        yield _row(keys[0], choices)
    yield ""
    directories = ", ".join(f"`{name}`" for name in output_options())
    yield from textwrap.wrap(f"`outputs` is a table of directories: {directories}.", 120)
    yield ""
    about = "The table `policies` holds for what `generate --emit policies` writes: [policies.md](policies.md)."
    yield from _table("policies", about, POLICY_KEYS.values())
    for name in sections.names:
        section = sections.load(name)
        about = (
            f"The table `{name}` holds for `validation-gen {' '.join(section.command)}` only, and wins over the top."
        )
        yield from _table(name, about, section.keys.values())
    yield "## Levels"
    yield ""
    yield "In the table `lint` each of these codes, or the name of a lint rule, is a key, too: `off`, `warning`,"
    yield '`error` or a table such as `{ level = "off", reason = "…" }`. Only lint (`VG4`) can be off without a reason.'
    yield ""
    yield "| Code | Name | Finding |"
    yield "|---|---|---|"
    names = {code: name for name, code in lint_codes().items() if name != code}
    for code in sorted(set(level_codes().values())):
        yield f"| `{code}` | {f'`{names[code]}`' if code in names else ''} | {CODES[code]} |"


def _table(name: str, about: str, keys: Iterable[Key]) -> Iterator[str]:
    yield from (f"## {name}", "", about, "", "| Key | Value | Default | Meaning |", "|---|---|---|---|")
    for key in keys:
        default = "" if key.default in (None, "", []) else f"`{_literal(key.default)}`"
        yield _row(key, key.choices, f" {default} |")
    yield ""


def _row(key: Key, choices: tuple[str, ...], default: str = "") -> str:
    kind = {"string": "path" if key.path else "string"}.get(key.type, key.type)
    if choices:
        kind = ", ".join(f"`{choice}`" for choice in choices)
    if key.table:
        kind = f"table of {kind}s"
    elif key.many:
        kind = f"array of {kind}" if choices else f"array of {kind}s"
    text = key.help.replace("|", "\\|").replace("<", "\\<")
    return f"| `{key.name}` | {kind} |{default} {text} |"


def _literal(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
