"""Programs whose objects are drawn, with their validators."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from validation_gen.commands.coverage import roots
from validation_gen.commands.edgecases import Objects, Probe, Subject, ValueSpec, ValueSpecs, subject
from validation_gen.commands.edgecases.changes import find_paths, replace_value, several
from validation_gen.commands.edgecases.steps import pick
from validation_gen.commands.edgecases.value_specs import Conditions
from validation_gen.compiler.pipeline import Settings, build_program, load_validators
from validation_gen.ir import Program
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.registry import Registry

APIS = Path(__file__).parents[3] / "testdata" / "apis"


@cache
def apis() -> tuple[Program, Registry]:
    """The sample APIs."""
    program = build_program(Settings((str(APIS),))).program
    return program, load_validators(program)


def program_of(directory: Path, types: str) -> tuple[Program, Registry]:
    """Types in one package."""
    head = "// +k8s:validation-gen=*\n// +groupName=example.com\npackage v1\n"
    (directory / "go.mod").write_text("module example.com/m\n", encoding="utf-8")
    (directory / "v1").mkdir()
    (directory / "v1" / "doc.go").write_text(head + types, encoding="utf-8")
    result = build_program(Settings((str(directory),)))
    assert not result.diagnostics.has_errors, result.diagnostics.sorted()
    return result.program, load_validators(result.program)


def subjects(program: Program, registry: Registry) -> Iterator[Subject]:
    """The kinds of a program."""
    places = ValueSpecs(program)
    for package, root in roots(program):
        found = subject(places, registry, package, root)
        if found is not None:
            yield found


def errors(registry: Registry, probe: Probe) -> list[FieldError]:
    """What validators say of a request."""
    (kind,) = registry.of_type(probe.kind, probe.package)
    return registry.run(
        kind,
        probe.obj,
        probe.old,
        update=probe.update,
        options=probe.options,
        subresource=probe.subresource,
        level="alpha",
    )


def changed(objects: Objects, place: ValueSpec, obj: Any, conditions: Conditions, most: int = 4) -> Any:
    """The object with some values changed."""
    known = find_paths(place)
    for _ in range(several(objects.source, most) if known else 0):
        obj = replace_value(objects, place, pick(objects.source, known)[0], obj, conditions)
    return obj
