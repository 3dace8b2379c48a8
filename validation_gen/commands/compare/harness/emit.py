"""Writes the modules of a harness: wiring, boundary cases, and tests."""

from __future__ import annotations

import os

from validation_gen.commands.compare.harness.cases import Case, Rule, write_cases
from validation_gen.commands.compare.requests import Request
from validation_gen.commands.coverage import ROOT, list_declared_errors
from validation_gen.commands.edgecases import Case as Boundary
from validation_gen.commands.edgecases import boundary_cases
from validation_gen.commands.written_tests import render_path, render_settings
from validation_gen.compiler.config import Config
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostics
from validation_gen.emit.output import MARKER
from validation_gen.emit.text import literal, render_template
from validation_gen.ir import Program
from validation_gen.runtime.registry import Kind, Registry

#: The directory of the harness in the generated package.
DIRECTORY = "harness"


def emit_harness(
    program: Program,
    registry: Registry,
    config: Config,
    settings: Settings,
    output_dir: str,
    diagnostics: Diagnostics,
) -> dict[str, str]:
    """Returns the files of the harness by path below the generated package: three for each configured module.

    A configured type that does not exist is reported. Nothing is imported.
    """
    wired: dict[str, list[tuple[Kind, str]]] = {}
    for type, function in config.handwritten.items():
        package, _, name = type.rpartition(".")
        found = [kind for kind in registry.of_type(name, package) if kind.subresources is not None]
        if len(found) == 1:
            wired.setdefault(found[0].module, []).append((found[0], function))
        else:
            _report(type, found, config, diagnostics)
    files: dict[str, str] = {}
    for module, wires in sorted(wired.items()):
        name = module.strip(".").replace(".", "_")
        files |= _module(name, wires, program, registry, settings, output_dir)
    if files:
        files[f"{DIRECTORY}/__init__.py"] = f"{MARKER}\n"
    return files


def _report(type: str, found: list[Kind], config: Config, diagnostics: Diagnostics) -> None:
    if found:
        names = " or ".join(f'"{kind.package}.{kind.name}"' for kind in found)
        message, help = f"{type} could be any of {len(found)} types", f"write {names}"
    else:
        message, help = f"there is no type {type} with rules", 'write the name of a type, such as "robots/v1.Robot"'
    diagnostics.error("VG605", message, config.spans[type], help)


def _module(
    name: str,
    wires: list[tuple[Kind, str]],
    program: Program,
    registry: Registry,
    settings: Settings,
    output_dir: str,
) -> dict[str, str]:
    """Returns the module, its cases and its tests."""
    here = os.path.join(output_dir, DIRECTORY)  # noqa: PTH118 - it is not opened
    lines = [(literal(f"{kind.package}.{kind.name}"), function.replace(":", ".")) for kind, function in wires]
    package = wires[0][0].package
    values = {"marker": MARKER, "package": package, "up": ".."}
    kinds = {(kind.package, kind.name) for kind, _ in wires}
    return {
        f"{DIRECTORY}/{name}.py": render_template(
            "harness/module.py.j2",
            imports=sorted({function.partition(":")[0] for _, function in wires}),
            wires=lines,
            **values,
        ),
        f"{DIRECTORY}/{name}_cases.json": write_cases(
            map(_case, boundary_cases(program, registry, list_declared_errors(program, kinds)))
        ),
        f"{DIRECTORY}/test_{name}.py": render_template(
            "harness/test.py.j2",
            module=name,
            cases=f"{name}_cases.json",
            sources=[render_path(path, here) for path in settings.paths],
            settings=render_settings(settings, here),
            **values,
        ),
    }


def _case(found: Boundary) -> Case:
    rule = found.rule
    type = f"{rule.package}.{rule.kind}"
    text = Rule(type, rule.path or ROOT, rule.type, rule.origin, rule.tag, rule.place)
    breaks, obeys = (None if probe is None else Request.of_probe(probe) for probe in (found.failing, found.passing))
    return Case(text, breaks, obeys)
