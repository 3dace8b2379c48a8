"""All that the program does with sources, in this process, stage by stage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from tests.scaling.sources import Files
from validation_gen.commands.breaking.run import compare
from validation_gen.commands.explain.fields.account import account
from validation_gen.commands.explain.fields.address import read_address
from validation_gen.compiler import definitions
from validation_gen.compiler.lint import lint
from validation_gen.compiler.pipeline import build_files, lower, read
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostics
from validation_gen.emit.schema import SchemaOptions
from validation_gen.ir import Program
from validation_gen.sources.typesystem import TypeSystem
from validation_gen.sources.wellknown import wire_format

Stage = Callable[[str, Callable[[], object]], object]
#: Stages without which later ones cannot be.
NEEDED = ("lower", "lower for schemas")


def write(root: Path, files: Files) -> None:
    """Writes the sources twice, the second time as an older state with a rule less."""
    for directory in (root, root / "old"):
        for name, text in {"go.mod": "module example.com/m\n", **files}.items():
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text if directory is root else text.replace("+k8s:maxLength=5", "+k8s:maxLength=6", 1))


def run(root: Path, stage: Stage, paths: tuple[str, ...] = ("v1",)) -> Diagnostics:
    """Runs all stages in the current directory `root`. `stage` is called with the name and the work of each.

    What was found while the sources were lowered and schemas were made is the answer.
    """
    settings, found, options = Settings(paths), Diagnostics(), SchemaOptions()
    kinds = replace(settings, every_kind=True)
    programs: dict[str, Program] = {}
    sources = read(settings, found)

    def lowered(name: str, by: Settings) -> None:
        programs[name] = lower(sources, by, found)

    def explained() -> None:
        kind = next((p.name for p in program.types.values() if p.name.startswith("Thing")), None)
        if kind is not None:
            account(program, *read_address(f"{kind}.spec", program), settings.target)

    stage("read", lambda: read(settings, Diagnostics()))
    stage("lower", lambda: lowered("python", settings))
    stage("lint", lambda: lint(TypeSystem(sources.universe, wire_format), programs["python"], Diagnostics()))
    stage("python", lambda: build_files(programs["python"]))
    stage("lower for schemas", lambda: lowered("schemas", kinds))
    program = programs["schemas"]
    stage("crd", lambda: definitions.build_definitions(program, options, found))
    stage("openapi", lambda: definitions.build_openapi(program, options, found, v2=True))
    stage("jsonschema", lambda: definitions.build_json_schemas(program, options, found))
    stage("explain", explained)
    stage("breaking", lambda: compare(settings, "old"))
    return found
