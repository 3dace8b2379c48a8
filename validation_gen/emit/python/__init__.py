"""A program as a Python package: a module for each API package, by group and version, and a registry in front of them.

`module` writes one module with its `names` and `constants`, and `functions` for each type, which `checks`, `loops` and
`calls` fill. `value_ref` describes values, `quickconditions` spare calls of checks that cannot fail. `vendoring` copies
the runtime into the package. The code has the form that black gives it. Nothing here reads a file of users, and nothing
knows a tag.
"""

from __future__ import annotations

import keyword
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

from validation_gen.emit.python.fastpath import holding_structs
from validation_gen.emit.python.module import ModuleEmitter
from validation_gen.emit.python.names import Trace
from validation_gen.emit.python.schemas import emit_schemas, schemas_by_package, schemas_module, without_words
from validation_gen.emit.python.value_ref import confusable_structs
from validation_gen.emit.python.vendoring import DIRECTORY
from validation_gen.emit.text import Code, escape, literal, render_template
from validation_gen.ir import ListOf, MapOf, PackagePlan, Program, ResourceNotes, Shape, StructRef, TypePlan
from validation_gen.runtime.levels import DEFAULT_LEVEL, Level
from validation_gen.types.naming import file_word


def identifier(text: str) -> str:
    """Returns a Python identifier close to `text`."""
    name = re.sub(r"\W", "_", text)
    if not name or name[0].isdigit():
        name = f"_{name}"
    return f"{name}_" if keyword.iskeyword(name) else name


def module_names(paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Returns the module of each import path, as names from the generated package down.

    A name has two elements (`robots/v1`), or more if it would be ambiguous. No module has the name of a sibling
    package, and no two names differ only in case, so that all can be files on every system.
    """
    parts = {
        path: tuple(file_word(identifier(p)) for p in path.split("/") if p) or ("_",) for path in sorted(set(paths))
    }
    length = {path: min(2, len(names)) for path, names in parts.items()}
    while True:
        chosen = {path: parts[path][-n:] for path, n in length.items()}
        clashes = Counter(chosen.values())
        longer = [p for p, names in chosen.items() if clashes[names] > 1 and length[p] < len(parts[p])]
        if not longer:
            break
        for path in longer:
            length[path] += 1
    return _make_distinct(chosen)


def _make_distinct(chosen: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Returns the names with underscores appended until all in a directory differ, also where case is ignored."""
    packages: dict[tuple[str, ...], tuple[str, ...]] = {(): ()}
    used: set[tuple[str, ...]] = {(DIRECTORY,)}

    def free(above: tuple[str, ...], name: str) -> tuple[str, ...]:
        while (*above, name.lower()) in used:
            name = f"{name}_"
        used.add((*above, name.lower()))
        return (*above, name)

    for names in chosen.values():
        for depth in range(1, len(names)):
            if names[:depth] not in packages:
                packages[names[:depth]] = free(packages[names[: depth - 1]], names[depth - 1])
    return {path: free(packages[names[:-1]], names[-1]) for path, names in chosen.items()}


_RUNTIME = "validation_gen.runtime"

#: Imports of generated code, in the order of the import lines.
_IMPORTS: dict[str, tuple[str, ...]] = {
    f"{_RUNTIME}.errors": ("FieldError", "Inlined"),
    f"{_RUNTIME}.items": ("KeyedItems", "Selector", "WholeItems", "position"),
    f"{_RUNTIME}.membership": ("PresentItems", "SetMembers"),
    f"{_RUNTIME}.operation": ("Operation",),
    f"{_RUNTIME}.rule": ("Rule", "Rules", "under"),
    f"{_RUNTIME}.views": ("inlined", "without"),
    f"{_RUNTIME}.wire": ("unpacked",),
}


_NO_RESOURCE = ResourceNotes()
#: The variable of a module with schemas.
_SCHEMAS = "SCHEMAS"


def emit_python(
    program: Program,
    level: Level = DEFAULT_LEVEL,
    data: dict[str, dict[str, Any]] | None = None,
    trace: Trace | None = None,
) -> dict[str, str]:
    """Returns the files of the generated package by path (with `/`) below its directory.

    Args:
        program: the program.
        level: the package enforces rules from this level on.
        data: takes the schemas instead of their modules: variables by file, which a loader adds.
        trace: takes the operations of traced code, which is for one run in memory.
    """
    kinds = _kinds(program)
    structs = program.structs_in(_shapes(program, kinds))
    wanted = {id.rpartition(".")[0] for id in structs} | {plan.package for _, plan, _ in kinds if plan.package}
    quiet: dict[str, bool] = {}
    checked: dict[str, list[TypePlan]] = {}
    for plan in program.validated:
        checked.setdefault(plan.package, []).append(plan)
    wanted |= checked.keys()
    tested = [p for p in program.packages.values() if p.fixture and p.path not in program.broken]
    confusable = confusable_structs({id: program.structs[id] for id in structs})
    holding = holding_structs(program)
    modules = module_names(wanted.union(package.path for package in tested))
    classes = program.structs_in(StructRef(id) for id in structs if _has_class(program, id))
    by_package: dict[str, list[str]] = {}
    for id in sorted(structs):
        by_package.setdefault(id.rpartition(".")[0], []).append(id)
    named: dict[str, dict[str, TypePlan]] = {}
    for _, plan, _ in kinds:
        if not _is_struct(plan):
            named.setdefault(plan.package, {})[plan.name] = plan
    registrations = _registrations(kinds, modules, program)
    front = render_template(
        "python/package.py.j2",
        kinds=registrations,
        instances=bool(classes),
        metadata=any(_is_root(plan, package) for package, plan, _ in kinds),
        level="" if level is DEFAULT_LEVEL else literal(level.value),
    )
    files = {"__init__.py": front}
    judged = schemas_by_package(program)
    for path, names in modules.items():
        if path in wanted:
            plans = checked.get(path, ())
            emitter = ModuleEmitter(
                path, program, modules, confusable, holding, quiet, trace, classes=classes, plans=plans
            )
            files["/".join(names) + ".py"] = _module(emitter, by_package.get(path, []), named.get(path, {}))
        if path in judged:
            file = "/".join(schemas_module(names, modules)) + ".py"
            files[file] = emit_schemas(path, judged[path], data="" if data is None else _SCHEMAS, server=program.server)
            if data is not None:
                data[file] = {_SCHEMAS: {name: without_words(kind.schema) for name, kind in judged[path].items()}}
        for depth in range(1, len(names)):
            files.setdefault("/".join([*names[:depth], "__init__.py"]), render_template("python/empty.py.j2"))
    for name, text in program.custom.items():
        files[f"{name}.py"] = render_template("python/custom.py.j2", text=_format(text))
    for package in tested:
        names = modules[package.path]
        roots = [plan.name for p, plan, _ in kinds if p is package and plan.has_checks and _is_root(plan, package)]
        files[_find_test_file(names, files)] = _fixture(package, names, roots)
    return dict(sorted(files.items()))


def _format(text: str) -> str:
    """Formats a handwritten file with black. Our own text needs no formatting, so only this pays for black."""
    import black  # noqa: PLC0415 - slow to import

    try:
        return black.format_str(text, mode=black.Mode())
    except ValueError:  # black.InvalidInput: Python of a later version than black knows
        return text


def _is_struct(plan: TypePlan) -> bool:
    return isinstance(plan.shape, StructRef)


# --- kinds ----------------------------------------------------------------------------------------------------------

_Kind = tuple[PackagePlan, TypePlan, tuple[str, ...] | None]


def _kinds(program: Program) -> list[_Kind]:
    """Returns all types that can be validated: every root, and every other type of an input package by its name."""
    found: dict[tuple[str, str], _Kind] = {}
    for package in program.packages.values():
        if not package.input or package.path in program.broken:
            continue
        for id in filter(program.is_sound, package.types):
            plan = program.types[id]
            found.setdefault(
                (package.path, plan.name), (package, plan, package.subresources if plan.has_checks else None)
            )
        for root in package.roots:
            plan = program.types[root.type]
            if not program.is_sound(plan.id):
                continue
            kind = (package, plan, root.subresources if plan.has_checks else None)
            found[package.path, plan.name] = kind
            if plan.package != package.path and plan.package in program.packages:
                found[plan.package, plan.name] = (program.packages[plan.package], plan, kind[2])
    return [found[key] for key in sorted(found)]


def _registrations(kinds: list[_Kind], modules: dict[str, tuple[str, ...]], program: Program) -> list[str]:
    """Returns the lines of the list of kinds: a table for each module.

    Without kinds it is one line, as black has it.
    """
    packages = program.packages
    tables: dict[tuple[str, str, str], list[_Kind]] = {}
    for package, plan, subresources in kinds:
        declaring = packages.get(plan.package, package).name  # which need not be the package with the rules
        key = (package.path, "." + ".".join(modules[plan.package]), declaring)
        tables.setdefault(key, []).append((package, plan, subresources))
    if not tables:
        return ["    [],"]
    code = Code(depth=1)
    code.add("[")
    with code.block():
        for (path, module, declaring), found in sorted(tables.items()):
            code.add("*kinds(")
            with code.block():
                for text in (module, path, declaring):
                    code.add(f"{literal(text)},")
                code.add("{")
                with code.block():
                    for package, plan, subresources in found:
                        is_named = _is_root(plan, package) and (plan.id in program.schemas or _names_its_kind(plan))
                        version = package.api_version if is_named else ""
                        words = " ".join(filter(None, (version, *(subresources or ()))))
                        code.add(f"{literal(plan.name)}: {literal(words)},")
                code.add("},")
                options = {
                    "values": [plan.name for _, plan, _ in found if isinstance(plan.shape, ListOf | MapOf)],
                    "cluster": [plan.name for package, plan, _ in found if _root(plan, package).scope == "Cluster"],
                    "status": [
                        plan.name
                        for package, plan, paths in found
                        if _root(plan, package).status and "/status" not in (paths or ())
                    ],
                }
                for option, names in options.items():
                    if names:
                        code.add(f"{option}={literal(' '.join(names))},")
                names = [plan.name for _, plan, _ in found if plan.id in program.schemas]
                if names:
                    place = f".{'.'.join(schemas_module(modules[found[0][1].package], modules))}"
                    code.tuple("schemas=", [literal(text) for text in (place, *names)], ",")
            code.add("),")
    code.add("],")
    return code.lines


def _is_root(plan: TypePlan, package: PackagePlan) -> bool:
    return any(root.type == plan.id for root in package.roots)


def _root(plan: TypePlan, package: PackagePlan) -> ResourceNotes:
    """Returns the notes of a type as a resource, empty if it is none."""
    return next((root.resource for root in package.roots if root.type == plan.id), _NO_RESOURCE)


def _names_its_kind(plan: TypePlan) -> bool:
    return any(f.go_name == "TypeMeta" and f.inlined for f in plan.fields)


# --- shapes ---------------------------------------------------------------------------------------------------------


def _shapes(program: Program, kinds: list[_Kind]) -> Iterator[Shape]:
    """Yields the shapes of the kinds, and of all types with checks."""
    yield from (plan.shape for _, plan, _ in kinds)
    for plan in program.validated:
        yield plan.shape
        yield from (member.shape for member in plan.fields)


def _has_class(program: Program, id: str) -> bool:
    """Returns whether a struct is declared as a Python class."""
    return any(member.attribute for member in program.structs[id])


# --- modules --------------------------------------------------------------------------------------------------------


def _module(emitter: ModuleEmitter, structs: list[str], aliases: dict[str, TypePlan]) -> str:
    blocks = emitter.blocks(structs, aliases)
    declarations = emitter.struct_declarations(structs)
    constants = emitter.constants.all_shared()
    text = "\n".join(line for block in (*blocks, constants) for line in block)
    return render_template(
        "python/module.py.j2",
        package=escape(emitter.package).replace("\\", "\\\\"),
        imports=list(_import_lines(f"{text} Rules" if "RULES.of(" in text else text, emitter)),
        rules=_rules(emitter.package) if "RULES.of(" in text else [],
        declarations=declarations,
        aliases=bool(aliases),
        constants=constants,
        blocks=blocks,
    )


def _rules(package: str) -> list[str]:
    code = Code()
    code.call("RULES = Rules", [literal(package)])
    return code.lines


def _find_test_file(module: tuple[str, ...], taken: Container[str]) -> str:
    """Returns the path of a module's test: beside it, with a name that pytest finds."""
    name = "/".join([*module[:-1], f"test_{module[-1]}"])
    while f"{name}.py" in taken or f"{name}/__init__.py" in taken:
        name += "_"
    return f"{name}.py"


def _fixture(package: PackagePlan, module: tuple[str, ...], roots: list[str]) -> str:
    names, call = Code(), Code(depth=1)
    names.tuple("TYPES = ", [literal(name) for name in roots])
    arguments = ["registry", literal(package.path), "TYPES", "__file__"]
    call.call("check_validate_false", arguments)
    return render_template(
        "python/fixture.py.j2",
        package=escape(package.path).replace("\\", "\\\\"),
        parent="." * len(module),
        names=names.lines,
        call=call.lines,
    )


def _import_lines(text: str, emitter: ModuleEmitter) -> Iterable[str]:
    uses = set(re.findall(r"[A-Za-z_]\w*", text))
    runtime = [name for name in ("checks as check", "shapes") if name.rpartition(" ")[2] in uses or name == "shapes"]
    yield f"from {_RUNTIME} import {', '.join(runtime)}"
    for module, names in _IMPORTS.items():
        used = [name for name in names if name in uses]
        if used:
            yield f"from {module} import {', '.join(used)}"
    here = "." * len(emitter.modules[emitter.package])
    for package, alias in sorted(emitter.foreign.items(), key=lambda item: item[1]):
        *parents, name = emitter.modules[package]
        yield f"from {here}{'.'.join(parents)} import {name} as {alias}"
    for function in sorted(emitter.custom, key=lambda f: (f.module, f.name)):
        place = function.module if "." in function.module else f"{here}{function.module}"
        yield f"from {place} import {function.name}"


__all__ = ["Trace", "emit_python"]
