"""The stages in their order: sources, rules, program, files. Begin here to see how they meet."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from validation_gen.compiler.lower.unknown import count_unchecked as count_unjudged
from validation_gen.compiler.lower.unknown import declares_api, find_marked_types, types_at
from validation_gen.compiler.settings import RuleSource, Settings
from validation_gen.compiler.stages import Sources, lower, read
from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity, Span
from validation_gen.emit.python import Trace, emit_python
from validation_gen.ir import Program
from validation_gen.runtime.levels import DEFAULT_LEVEL, Level
from validation_gen.sources.model import Universe

if TYPE_CHECKING:
    from validation_gen.compiler.schemarules import SchemaRules
    from validation_gen.runtime.registry import Registry

__all__ = [
    "Result",
    "Settings",
    "Sources",
    "build_files",
    "build_program",
    "describe_unchecked",
    "load_validators",
    "lower",
    "lower_checked",
    "mark_checked_types",
    "read",
    "read_markers",
    "refuse_nothing",
    "refuse_untagged",
    "warn_of_markers",
    "warn_of_nothing",
]


#: Markers that are malformed, unknown, or have a wrong argument or value.
_SPELLING = frozenset({"VG520", "VG521", "VG523", "VG524"})
#: Findings that collect their consequences, which differ between passes.
_TOLD_ONCE = frozenset({"VG301"})
_TAG = "write a tag such as +k8s:minimum=1 above a field, or name another directory"


@dataclass(frozen=True, slots=True)
class Result:
    """A program, with the findings about it."""

    program: Program
    diagnostics: Diagnostics
    #: A sentence about inputs that only schemas validate, `""` if there are none.
    unjudged: str = ""
    #: The numbers of validation markers in the input, `""` if there are none.
    markers: str = ""


@dataclass(frozen=True, slots=True)
class ProgramPair:
    """The program of validators, and, where markers were read, the one of generators of schemas."""

    program: Program
    markers: Program | None = None


def build_program(settings: Settings, progress: Callable[[str], None] = lambda text: None) -> Result:
    """Reads the sources and lowers them. Never raises on any content of the user's files.

    `progress` is called with the name of the next step.
    """
    diagnostics = Diagnostics()
    sources = read(settings, diagnostics, progress)
    program = lower_checked(sources, settings, diagnostics, progress).program
    markers = count_unjudged(sources.universe.inputs).counts
    return Result(program, diagnostics, describe_unchecked(sources, program), markers)


def lower_checked(
    sources: Sources,
    settings: Settings,
    diagnostics: Diagnostics,
    progress: Callable[[str], None] = lambda text: None,
    *,
    whole: bool = False,
) -> ProgramPair:
    """Returns the program of validators, with the schemas that they check, depending on the settings.

    `whole`: report all marker findings, not only errors.
    """
    lowered = _lower(sources, settings, diagnostics, progress, whole=whole)
    if settings.definitions:
        from validation_gen.compiler.defined import add_defined  # noqa: PLC0415 - it brings YAML and the checker

        progress("reading definitions")
        add_defined(lowered.program, settings.definitions, diagnostics)
    return lowered


def _lower(
    sources: Sources,
    settings: Settings,
    diagnostics: Diagnostics,
    progress: Callable[[str], None],
    *,
    whole: bool,
) -> ProgramPair:
    inputs = sources.universe.inputs
    marked = find_marked_types(inputs) if settings.rules is None and not settings.every_kind else frozenset()
    if settings.every_kind or settings.rules is RuleSource.TAGS or not (marked or settings.rules):
        return ProgramPair(lower(sources, settings, diagnostics, progress))
    from validation_gen.compiler.schemarules import add_schemas, drop_tags, schema_rules  # noqa: PLC0415 - most runs have no markers

    found, gaps = Diagnostics(), Diagnostics()
    read = replace(settings, every_kind=True, every_type=False, lint=False)
    markers = lower(sources, read, found, progress)
    progress("building schemas")
    errors = [finding for finding in found.items if finding.severity is Severity.ERROR]
    places = types_at(inputs) if errors else {}
    faulty = {id for error in errors if (id := places.get((error.span.file, error.span.line)))}
    schemas = schema_rules(markers, marked, faulty, settings.rules, settings.level, gaps)
    program = lower(sources, settings, diagnostics, progress, kept=schemas.packages)
    if not whole:
        found.items[:] = [each for each in found.items if _is_about(each, schemas, places, sources.universe)]
    _tell(found, diagnostics, whole=whole)
    diagnostics.extend(gaps.items)
    if settings.rules is RuleSource.SCHEMA:
        drop_tags(program, schemas)
    add_schemas(program, markers, schemas)
    return ProgramPair(program, markers)


def _is_about(
    finding: Diagnostic, schemas: SchemaRules, places: Mapping[tuple[str, int], str], universe: Universe
) -> bool:
    """Returns whether a finding is about schemas: about their notes, their missing types, or why there are none."""
    if finding.code in _TOLD_ONCE:
        return _is_in(finding, schemas.meant, universe)
    if places.get((finding.span.file, finding.span.line)) in schemas.meant:
        return True
    return finding.severity is Severity.ERROR and _is_in(finding, schemas.broken, universe)


def _is_in(finding: Diagnostic, types: Set[str], universe: Universe) -> bool:
    """Returns whether a finding is about a file in the packages of some types."""
    paths = {id.rpartition(".")[0] for id in types}
    known = (universe.packages[path].directory for path in paths if path in universe.packages)
    return finding.span.file.rpartition("/")[0] in known


def read_markers(
    sources: Sources,
    settings: Settings,
    diagnostics: Diagnostics,
    progress: Callable[[str], None] = lambda text: None,
    *,
    whole: bool,
) -> Program:
    """Returns the program for schema generators, for which comments with markers are read, too.

    Unless `whole`, only errors of markers, misspelt ones and unresolved types are reported: projects without schemas
    may check the rest with other tools.
    """
    found = Diagnostics()
    program = lower(sources, replace(settings, every_kind=True, lint=False), found, progress)
    _tell(found, diagnostics, whole=whole)
    return program


def _tell(found: Diagnostics, diagnostics: Diagnostics, *, whole: bool) -> None:
    """Adds new findings of the marker pass; unless `whole`, only those that matter for tags."""
    reported = {(finding.code, finding.span) for finding in diagnostics.items if finding.code in _TOLD_ONCE}
    same = {_without_notes(finding) for finding in diagnostics.items}
    for finding in found.items:
        if (finding.code, finding.span) in reported or _without_notes(finding) in same:
            continue
        if whole or finding.severity is Severity.ERROR or finding.code in _SPELLING | _TOLD_ONCE:
            diagnostics.add(finding)


def _without_notes(finding: Diagnostic) -> tuple[str, Span, str, Severity]:
    return finding.code, finding.span, finding.message, finding.severity


def mark_checked_types(sources: Sources, markers: Program) -> None:
    """Marks in the schema program which types are validated by schema."""
    marked = find_marked_types(sources.universe.inputs)
    if marked:
        from validation_gen.compiler.schemarules import find_checked_types  # noqa: PLC0415 - most runs have no markers

        markers.in_schemas = find_checked_types(markers, marked)


def describe_unchecked(sources: Sources, program: Program | None = None) -> str:
    """Returns a sentence about markers of the input packages that only schemas check; `""` if there are none.

    Validators check the markers in the schemas of a program.
    """
    return str(count_unjudged(sources.universe.inputs, program.in_schemas if program is not None else frozenset()))


def warn_of_nothing(program: Program, settings: Settings, diagnostics: Diagnostics) -> None:
    """Adds a warning if no type of the input has checks: silence would look like success.

    Packages that were not named do not count: referenced types may have their own tags.
    """
    if not any(plan.input for plan in program.packages.values()) and not diagnostics.items:
        wanted, help = "+k8s: tags", _TAG
        if settings.require_directive:
            wanted = "a +k8s:validation-gen directive that chooses types"
            help = "write one into doc.go, such as +k8s:validation-gen=TypesWithField=TypeMeta"
        place = Span((*settings.paths, *settings.definitions)[0])
        diagnostics.warning("VG902", f"no package here has {wanted}, so there are no validators", place, help)


def refuse_nothing(sources: Sources, settings: Settings, diagnostics: Diagnostics) -> None:
    """Adds an error if no type of the input is a kind or has a tag or a marker, unless another error has the reason."""
    read = settings.definitions or any(map(declares_api, sources.universe.inputs))
    if not (read or diagnostics.has_errors):
        message = "no type here is a kind or has a tag or a marker, so there is nothing to do"
        help = f"name a directory with the types of an API; {_advise_check(settings)}"
        diagnostics.error("VG902", message, Span(settings.paths[0]), help)


def refuse_untagged(result: Result, settings: Settings, diagnostics: Diagnostics) -> None:
    """Adds an error if nothing of the input has tags or markers, unless another error has the reason."""
    packages = result.program.packages.values()
    if not (result.markers or diagnostics.has_errors or any(plan.input for plan in packages)):
        message = "no package here has +k8s: tags, so no errors are declared"
        diagnostics.error("VG902", message, Span(settings.paths[0]), f"{_TAG}; {_advise_check(settings)}")


def _advise_check(settings: Settings) -> str:
    """Returns advice for users whose arguments seem to be definitions."""
    return f"for definitions run `validation-gen crd lint {shlex.quote(settings.paths[0].removesuffix('/...'))}`"


def warn_of_markers(result: Result, settings: Settings, diagnostics: Diagnostics) -> None:
    """Adds a warning if a command that counts the rules of tags has read markers alone."""
    if result.markers and not any(plan.rule_count for plan in result.program.types.values()):
        help = "`validation-gen convert markers` makes tags of markers where nothing changes by it"
        message = f"nothing here has rules in +k8s: tags, and only those count: {result.markers} not counted"
        diagnostics.warning("VG902", message, Span(settings.paths[0]), help)


def build_files(program: Program, level: Level = DEFAULT_LEVEL) -> dict[str, str]:
    """Returns the generated Python package by path below its directory. It enforces rules from a level on."""
    return emit_python(program, level)


def load_validators(program: Program, trace: Trace | None = None) -> Registry:
    """Returns the registry of the generated package, imported from memory. Schemas are shared with the program.

    `trace` takes the operations of traced code.
    """
    from validation_gen.emit.loading.generated import load_registry  # noqa: PLC0415 - not every run needs it

    data: dict[str, dict[str, Any]] = {}
    return load_registry(emit_python(program, data=data, trace=trace), data)
