"""The modules with the schemas of kinds, which their validators evaluate, too. They are data, one keyword a line."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from validation_gen.emit.text import Code, escape, literal, render_template
from validation_gen.ir import KindSchema, Program
from validation_gen.kubernetes.cel.program import serialize
from validation_gen.kubernetes.cel.tree import InvalidExpression

_SUFFIX = "_schemas"
#: Documentation keywords, which validators do not need.
_TOLD = frozenset({"description", "example", "externalDocs", "title"})
#: Keywords that have schemas by name, and those that have one or several. All others have values.
_NAMED = frozenset({"properties", "patternProperties", "definitions", "dependencies"})
_OTHERS = frozenset({"items", "additionalProperties", "not", "allOf", "anyOf", "oneOf"})
#: Keywords that demand something beyond a type, one each.
_DEMANDS = frozenset(
    "enum exclusiveMaximum exclusiveMinimum maxItems maxLength maxProperties maximum minItems minLength "
    "minProperties minimum multipleOf pattern uniqueItems".split()
)
_RULES = "x-kubernetes-validations"


def schemas_by_package(program: Program) -> dict[str, dict[str, KindSchema]]:
    """Returns the schemas of kinds by the import path of their package, and by their names in order."""
    found: dict[str, dict[str, KindSchema]] = {}
    for id in sorted(program.schemas):
        package, _, name = id.rpartition(".")
        found.setdefault(package, {})[name] = program.schemas[id]
    return found


def schemas_module(module: tuple[str, ...], modules: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Returns the module for the schemas of a module: beside it, with a unique name."""
    taken: Collection[tuple[str, ...]] = set(modules.values()) | {
        names[:depth] for names in modules.values() for depth in range(1, len(names))
    }
    found = (*module[:-1], f"{module[-1]}{_SUFFIX}")
    while found in taken:
        found = (*module[:-1], f"{found[-1]}_")
    return found


def emit_schemas(package: str, schemas: Mapping[str, KindSchema], *, data: str = "", server: int | None = None) -> str:
    """Returns the module with the schemas of a package.

    Args:
        package: its import path.
        schemas: the schemas by the names of kinds.
        data: the name of a variable that has the schemas, which are then not written.
        server: minor release of the servers whose texts errors have, if these are not the usual ones.
    """
    blocks = []
    for name, kind in schemas.items():
        code = Code()
        code.add(f"judge_{name} = Judge(")
        with code.block():
            if data:
                code.add(f"{data}[{literal(name)}],")
            else:
                _write(code, "", without_words(kind.schema), ",")
            if kind.status:
                code.add("status=True,")
            if server is not None:
                code.add(f"server={server},")
            if not data:
                _write_expressions(code, kind.schema)
        code.add(")")
        blocks.append(code.lines)
    return render_template("python/schemas.py.j2", package=escape(package).replace("\\", "\\\\"), blocks=blocks)


def rules_in(schema: Any) -> int:
    """Counts the constraints of a schema: its limiting keywords, and its rules."""
    if isinstance(schema, list):
        return sum(map(rules_in, schema))
    if not isinstance(schema, Mapping):
        return 0
    found = len(_DEMANDS & schema.keys()) + len(schema.get(_RULES) or ())
    found += "format" in schema and schema.get("type") == "string"  # that of a number demands nothing
    found += sum(rules_in(schema[name]) for name in _OTHERS & schema.keys())
    return found + sum(rules_in(part) for name in _NAMED & schema.keys() for part in (schema[name] or {}).values())


def _find_expressions(schema: Any) -> Iterator[str]:
    """Yields the CEL expressions of a schema, at any depth."""
    if isinstance(schema, list):
        for item in schema:
            yield from _find_expressions(item)
    elif isinstance(schema, Mapping):
        for rule in schema.get(_RULES) or ():
            yield from (rule[name] for name in ("rule", "messageExpression") if rule.get(name))
        for name in _NAMED & schema.keys():
            for part in (schema[name] or {}).values():
                yield from _find_expressions(part)
        for name in _OTHERS & schema.keys():
            yield from _find_expressions(schema[name])


def _write_expressions(code: Code, schema: Any) -> None:
    """Writes the parsed expressions of a schema, one a line, so that validators need no parser."""
    texts = sorted(set(_find_expressions(schema)))
    if not texts:
        return
    from validation_gen.kubernetes.cel.parser import parse  # noqa: PLC0415 - few schemas have expressions

    code.add("expressions={")
    with code.block():
        for text in texts:
            try:
                data = serialize(parse(text))
            except InvalidExpression as error:
                data = serialize(error)
            code.add(f"{literal(text)}: {literal(data)},")
    code.add("},")


def without_words(schema: Any) -> Any:
    """Returns a schema without documentation."""
    if isinstance(schema, list):
        return [without_words(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    found: dict[str, Any] = {}
    for name, value in schema.items():
        if name in _NAMED and isinstance(value, Mapping):
            found[name] = {key: without_words(part) for key, part in value.items()}
        elif name not in _TOLD:
            found[name] = without_words(value) if name in _OTHERS else value
    return found


def _write(code: Code, head: str, value: Any, tail: str) -> None:
    """Writes a JSON value: nested or long ones with one entry a line, so that diffs are small."""
    entries = [(f"{literal(name)}: ", item) for name, item in value.items()] if isinstance(value, dict) else []
    entries += [("", item) for item in value] if isinstance(value, list | tuple) else []
    if _is_flat(value):
        together = f"{head}{_in_one_line(value)}{tail}"
        if not entries or code.fits(together):
            code.add(together)
            return
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    code.add(f"{head}{opening}")
    with code.block():
        for name, item in entries:
            _write(code, name, item, ",")
    code.add(f"{closing}{tail}")


def _is_flat(value: Any) -> bool:
    """Returns whether a value has no nested values."""
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return not any(isinstance(item, dict | list | tuple) and item for item in items)


def _in_one_line(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{literal(name)}: {_in_one_line(item)}' for name, item in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_in_one_line, value))}]"
    return literal(value)
