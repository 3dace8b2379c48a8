"""One run over the sources for all outputs, and the comparison of files on disk with them.

The outputs are text by path; the caller writes them. Differences are findings for people and machines, and a patch.
"""

from __future__ import annotations

import contextlib
import enum
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from validation_gen.compiler.config.keys import Config
from validation_gen.compiler.config.webhooks import policy_options, series_prefix
from validation_gen.compiler.emitters import CRD, HARNESS, OPENAPI, POLICIES, PYTHON, Emitter, MakerOptions
from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity, Span
from validation_gen.emit.output import Compared, compare_files, compare_owned
from validation_gen.emit.policies import PolicyOptions
from validation_gen.emit.schema import SchemaOptions
from validation_gen.emit.text import first_difference, make_unified_diff
from validation_gen.emit.webhooks import WebhookSettings
from validation_gen.files import reading
from validation_gen.runtime.words import counted

if TYPE_CHECKING:
    from validation_gen.compiler.settings import Settings
    from validation_gen.emit.schema.helmvalues import ValuesRequest
    from validation_gen.ir import Program


@dataclass(frozen=True, slots=True)
class GenerateResult:
    """The files of each emitter by path below its directory, the findings, and the numbers."""

    outputs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    findings: tuple[Diagnostic, ...] = ()
    packages: int = 0
    types: int = 0
    rules: int = 0
    names: tuple[str, ...] = ()
    #: Files that were not read, each with the reason.
    left_out: tuple[str, ...] = ()
    #: A sentence about packages whose types come with this program, `""` if there are none.
    bundled: str = ""
    #: A sentence about inputs that only schemas validate, `""` if there are none.
    unjudged: str = ""
    #: Kinds without files because of errors, each with the location of one.
    dropped: tuple[str, ...] = ()
    #: True for the result of an earlier run.
    kept: bool = field(default=False, compare=False)

    @property
    def counts(self) -> str:
        """The numbers of packages, types and rules."""
        numbers = ((self.packages, "package"), (self.types, "type"), (self.rules, "rule"))
        return ", ".join(counted(number, noun) for number, noun in numbers)


class RuntimeSource(str, enum.Enum):
    """Source of the runtime that generated validators import."""

    PACKAGE = "package"
    VENDORED = "vendored"


@dataclass(frozen=True, slots=True)
class GenerateOptions:
    """Requested outputs and their options.

    `runtime` is the source of the validators' runtime. `v2` requests OpenAPI documents of version 2 as well.
    `output_dir` is the directory of the validators, for the harness. `config` has the handwritten functions for it.
    `webhooks` has the call and deployment settings of a webhook. `values` requests the schema of a Helm chart's values
    instead of schemas of kinds.
    """

    emitters: Collection[Emitter] = (PYTHON,)
    schemas: SchemaOptions = field(default_factory=SchemaOptions)
    v2: bool = False
    runtime: RuntimeSource = RuntimeSource.PACKAGE
    output_dir: str = PYTHON.directory
    config: Config = field(default_factory=Config)
    webhooks: WebhookSettings = field(default_factory=WebhookSettings)
    values: Sequence[ValuesRequest] = ()

    @property
    def policies(self) -> PolicyOptions:
        """Returns the options of admission policies. Reading the settings has reported their problems."""
        return policy_options(self.config.policies, Diagnostics())

    @property
    def key(self) -> list[object]:
        """Returns the inputs of a result, as JSON. A harness is never cached."""
        kind = self.schemas
        options = sorted(kind.options.items())
        manner = [kind.manner.value, options, kind.level.value, kind.max_description]
        policies = [*map(str, astuple(self.policies))] if POLICIES in self.emitters else []
        return [
            sorted(emitter.name for emitter in self.emitters),
            manner,
            self.v2,
            self.runtime.value,
            asdict(self.webhooks),
            [astuple(each) for each in self.values],
            series_prefix(self.config),
            *policies,
        ]


def generate(
    settings: Settings, wanted: GenerateOptions, progress: Callable[[str], None] = lambda text: None
) -> GenerateResult:
    """Reads the sources once and generates the outputs. Never raises on any content of the user's files.

    `progress` is called with the name of the next step.
    """
    from validation_gen.compiler.pipeline import (  # noqa: PLC0415 - a kept result needs none of it
        describe_unchecked,
        lower,
        lower_checked,
        read,
        refuse_nothing,
        warn_of_nothing,
    )
    from validation_gen.emit.python.schemas import rules_in  # noqa: PLC0415
    from validation_gen.sources.wellknown import describe_bundled  # noqa: PLC0415

    diagnostics = Diagnostics()
    settings = replace(settings, bare_kinds=OPENAPI in wanted.emitters)
    sources = read(settings, diagnostics, progress)
    outputs: dict[str, dict[str, str]] = {}
    judging = program = markers = None
    has_makers = any(emitter.make is not None for emitter in wanted.emitters)
    if PYTHON in wanted.emitters:
        lowered = lower_checked(sources, settings, diagnostics, progress, whole=has_makers)
        judging, markers = lowered.program, lowered.markers
        warn_of_nothing(judging, settings, diagnostics)
        progress("generating")
        outputs[PYTHON.name] = _make_validators(judging, settings, wanted, diagnostics, progress)
    if has_makers:
        program = markers or lower(sources, replace(settings, every_kind=True, lint=False), diagnostics, progress)
        outputs |= _make_others(program, judging, settings, wanted, diagnostics, progress)
        if judging is None:
            refuse_nothing(sources, settings, diagnostics)
        _warn_of_no_kinds(outputs, settings, diagnostics)
    programs = [each for each in (judging, program) if each is not None]
    if any(each.misnamed for each in programs):
        outputs = {name: {} for name in outputs}
    validated = judging.validated_types if judging is not None and not judging.misnamed else []
    rules = sum(plan.rule_count for plan in validated)
    return GenerateResult(
        outputs,
        tuple(diagnostics.items),
        len({plan.package for plan in validated}),
        len(validated),
        rules + sum(rules_in(each.schema) for each in (judging.schemas.values() if judging is not None else ())),
        _name_packages(programs[-1]),
        tuple(line for package in sources.universe.inputs for line in package.left_out),
        describe_bundled(sources.universe),
        describe_unchecked(sources, judging),
        _find_dropped(programs),
    )


def _name_packages(program: Program) -> tuple[str, ...]:
    return tuple(sorted(plan.path for plan in program.packages.values()))


def _make_validators(
    program: Program,
    settings: Settings,
    wanted: GenerateOptions,
    diagnostics: Diagnostics,
    progress: Callable[[str], None],
) -> dict[str, str]:
    """Returns the files of validators, none for a program with invalid names."""
    from validation_gen.compiler.pipeline import build_files  # noqa: PLC0415 - as above
    from validation_gen.emit.python.vendoring import vendor_runtime  # noqa: PLC0415
    from validation_gen.sources.customs import custom_module  # noqa: PLC0415

    if program.misnamed or not program.validated_types:
        return {}
    files = build_files(program, settings.level)
    if HARNESS in wanted.emitters:
        progress("looking for boundary cases")
        files |= _harness(program, files, settings, wanted, diagnostics)
    if wanted.runtime is RuntimeSource.VENDORED and files:
        progress("copying the runtime")
        customs = {f"{custom_module(path)}.py": path for path in settings.custom}
        texts = {f"{name}.py": text for name, text in program.custom.items()}
        origins = {name: (path, texts[name]) for name, path in customs.items() if name in texts}
        files = vendor_runtime(files, diagnostics, origins)
    return files


def _make_others(
    program: Program,
    judging: Program | None,
    settings: Settings,
    wanted: GenerateOptions,
    diagnostics: Diagnostics,
    progress: Callable[[str], None],
) -> dict[str, dict[str, str]]:
    """Returns the files of all emitters of schemas, by the name of the emitter."""
    if settings.definitions:
        from validation_gen.compiler.defined import add_defined  # noqa: PLC0415 - it brings YAML and the checker

        add_defined(program, settings.definitions, Diagnostics() if judging is not None else diagnostics)
    progress("building schemas")
    prefix = series_prefix(wanted.config)
    options = MakerOptions(
        wanted.schemas, wanted.v2, wanted.policies, wanted.webhooks, settings, judging, prefix, wanted.values
    )
    is_misnamed = program.misnamed or (judging is not None and judging.misnamed)
    makers = {emitter.name: emitter.make for emitter in wanted.emitters if emitter.make is not None}
    return {name: {} if is_misnamed else make(program, options, diagnostics) for name, make in makers.items()}


def _warn_of_no_kinds(outputs: Mapping[str, Mapping[str, str]], settings: Settings, diagnostics: Diagnostics) -> None:
    """Adds a warning if there are no schemas, unless another finding has the reason."""
    is_warned = PYTHON.name in outputs and any(each.code == "VG902" for each in diagnostics.items)
    if any(files for name, files in outputs.items() if name != PYTHON.name) or is_warned or diagnostics.has_errors:
        return
    help = "a kind is a struct with metav1.TypeMeta and metav1.ObjectMeta, in a package with +groupName"
    if settings.definitions:
        help = "from definitions only JSON Schemas and validators can be made; other outputs need Go or Python"
    place = Span((*settings.paths, *settings.definitions)[0])
    diagnostics.warning("VG902", "there are no kinds here", place, help)


def patch(
    settings: Settings, schemas: SchemaOptions, directory: str, progress: Callable[[str], None] = lambda text: None
) -> GenerateResult:
    """Returns new text for the manifests in a directory, with the schemas of the sources."""
    from validation_gen.compiler.definitions import patch_definitions  # noqa: PLC0415 - as above
    from validation_gen.compiler.pipeline import lower, read  # noqa: PLC0415
    from validation_gen.sources.wellknown import describe_bundled  # noqa: PLC0415

    diagnostics, settings = Diagnostics(), replace(settings, every_kind=True)
    sources = read(settings, diagnostics, progress)
    program = lower(sources, settings, diagnostics, progress)
    progress("building schemas")
    files = patch_definitions(program, schemas, directory, diagnostics)
    names, summary = _name_packages(program), describe_bundled(sources.universe)
    return GenerateResult({CRD.name: files}, tuple(diagnostics.items), names=names, bundled=summary)


def _find_dropped(programs: Sequence[Program]) -> tuple[str, ...]:
    """Returns the kinds that get no files because of errors, each with the location of one of its errors."""
    found: dict[str, str] = {}
    for program in programs:
        found |= {kind: f" ({error.code} at {error.span})" for kind, error in program.refused.items()}
        for package in program.packages.values():
            for root in package.roots:
                if not program.is_sound(root.type):
                    cause = program.causes.get(root.type)
                    where = f" ({cause.code} at {cause.span})" if cause is not None else ""
                    found.setdefault(f"{root.api_version or package.api_version} {root.kind}", where)
    return tuple(f"{kind}{where}" for kind, where in sorted(found.items()))


def _harness(
    program: Program, files: Mapping[str, str], settings: Settings, wanted: GenerateOptions, diagnostics: Diagnostics
) -> dict[str, str]:
    """Returns the files of the harness for the functions that the project's configuration names."""
    config = wanted.config
    from validation_gen.commands.compare.harness.emit import emit_harness  # noqa: PLC0415
    from validation_gen.emit.loading.generated import import_customs, load_registry  # noqa: PLC0415 - few runs want a harness

    if not config.handwritten and not diagnostics.has_errors:
        place = Span((config.file or Path("pyproject.toml")).as_posix())
        help = 'write [tool.validation-gen.handwritten] and below it "robots/v1.Robot" = "package.module:function"'
        diagnostics.error("VG906", "no handwritten validator is named, so there is nothing to wire", place, help)
    registry, known = load_registry(dict(files)), len(diagnostics.items)
    import_customs(program.custom, settings.custom, registry, diagnostics)
    if len(diagnostics.items) > known:
        return {}  # the validators cannot be imported
    return emit_harness(program, registry, config, settings, wanted.output_dir, diagnostics)


_HELP = "generate again, and commit the result"


@dataclass(frozen=True, slots=True)
class Verified:
    """Comparison of one output, and its changes: the text before and after by path."""

    compared: Compared
    changes: Mapping[str, tuple[str | None, str | None]]

    @property
    def patch(self) -> str:
        """Returns all changes, as `git apply` accepts them in the current directory."""
        return "".join(make_unified_diff(path, before, after) for path, (before, after) in self.changes.items())


def verify(
    directory: str, files: Mapping[str, str], diagnostics: Diagnostics, *, prune: bool, owned: bool = False
) -> Verified:
    """Compares an output directory with the expected files, and adds a finding for each difference.

    Args:
        directory: the output directory.
        files: the text of each by its path below the directory; of `owned` ones by path.
        diagnostics: takes the findings, and obstacles to writing.
        prune: True if other generated files are superfluous.
        owned: True for files of users with a generated part. Those are never missing nor superfluous.
    """
    there = (
        compare_owned(files, diagnostics, tree=directory)
        if owned
        else compare_files(directory, files, diagnostics, prune=prune)
    )
    root = Path() if owned else Path(directory)
    changes: dict[str, tuple[str | None, str | None]] = {}
    for name in sorted((*there.missing, *there.stale, *there.extra)):
        path = root / name
        before = None if name in there.missing else _text(path)
        after = None if name in there.extra else files[name]
        changes[path.as_posix()] = (before, after)
        diagnostics.add(_finding(path.as_posix(), before, after, owned=owned))
    return Verified(there, changes)


def _finding(path: str, before: str | None, after: str | None, *, owned: bool) -> Diagnostic:
    if before is None:
        return Diagnostic("VG801", Severity.ERROR, "a generated file is missing", Span(path), _HELP)
    if after is None:
        message = "a generated file is extra: nothing in the sources gives it"
        return Diagnostic("VG803", Severity.ERROR, message, Span(path), "generate again, which removes it")
    line = first_difference(before, after)
    width = len((before.split("\n")[line - 1 : line] or [""])[0].rstrip("\r"))
    what = "the schemas in this manifest are stale" if owned else "a generated file is stale"
    message = f"{what}: from this line on it is not what the sources give"
    return Diagnostic("VG802", Severity.ERROR, message, Span(path, line, 1, width + 1), _HELP)


def _text(path: Path) -> str:
    with contextlib.suppress(OSError):
        return reading.read(path).decode(errors="surrogateescape")
    return ""
