"""The modules with the schemas of kinds, by which their validators judge, too. They are data, one keyword a line."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from validation_gen.emit.templates import render_template
from validation_gen.emit.text import Code, escaped, literal
from validation_gen.ir import KindSchema, Program

_SUFFIX = "_schemas"


def schemas_by_package(program: Program) -> dict[str, dict[str, KindSchema]]:
    """The schemas of kinds by the import path of their package, and by their names in order."""
    found: dict[str, dict[str, KindSchema]] = {}
    for id in sorted(program.schemas):
        package, _, name = id.rpartition(".")
        found.setdefault(package, {})[name] = program.schemas[id]
    return found


def schemas_module(module: tuple[str, ...], modules: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Where the schemas of a module go: beside it, under a name that no other one has."""
    taken: Collection[tuple[str, ...]] = set(modules.values()) | {
        names[:depth] for names in modules.values() for depth in range(1, len(names))
    }
    found = (*module[:-1], f"{module[-1]}{_SUFFIX}")
    while found in taken:
        found = (*module[:-1], f"{found[-1]}_")
    return found


def emit_schemas(package: str, schemas: Mapping[str, KindSchema]) -> str:
    """The module with the schemas of a package."""
    blocks = []
    for name, kind in schemas.items():
        code = Code()
        code.add(f"judge_{name} = Judge(")
        with code.block():
            _write(code, "", kind.schema, ",")
            if kind.status:
                code.add("status=True,")
        code.add(")")
        blocks.append(code.lines)
    return render_template("python/schemas.py.j2", package=escaped(package).replace("\\", "\\\\"), blocks=blocks)


def _write(code: Code, head: str, value: Any, tail: str) -> None:
    """A value of JSON: what holds others, or is long, with an entry a line, so that a change is where it belongs."""
    together = f"{head}{_in_one_line(value)}{tail}"
    if _is_flat(value) and code.fits(together):
        code.add(together)
        return
    entries = [(f"{literal(name)}: ", item) for name, item in value.items()] if isinstance(value, dict) else []
    entries += [("", item) for item in value] if isinstance(value, list | tuple) else []
    if not entries:
        code.add(together)
        return
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    code.add(f"{head}{opening}")
    with code.block():
        for name, item in entries:
            _write(code, name, item, ",")
    code.add(f"{closing}{tail}")


def _is_flat(value: Any) -> bool:
    """Whether nothing in a value holds others."""
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return not any(isinstance(item, dict | list | tuple) and item for item in items)


def _in_one_line(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{literal(name)}: {_in_one_line(item)}' for name, item in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_in_one_line, value))}]"
    return literal(value)
