"""Settings of a run: the arguments of the commands that read sources, as one value.

They are separate from the stages, so that code which only passes them on does not import these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from validation_gen.diagnostics.levels import Suppressions
from validation_gen.rules.releases import NEWEST
from validation_gen.runtime.levels import DEFAULT_LEVEL, Level


class RuleSource(str, Enum):
    """Source of validation rules: tags, CRD schemas, or both."""

    TAGS = "tags"
    SCHEMA = "schema"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a run.

    `modules` maps import paths to directories with their sources; `readonly` lists import paths (or patterns) whose
    types are used but not generated for; `require_directive` enables upstream's strict selection of packages. With
    `every_type` all exported types have validators, also those that the directives omit; with `every_kind` packages
    without rules are included, too. `custom` lists Python files with handwritten checks, `extensions` YAML files
    with formats of the project. `target` is the Kubernetes release to agree with.

    `bare_kinds`: kinds without metadata have output, so their errors are reported. `known_tags`: tags inside of
    Kubernetes' own types apply, too. `refuse_unresolved` makes an unresolved type an error.

    `lint` looks for tags that are legal but unwise, `strict_lint` reports patterns that upstream's own lint refuses as
    errors; `suppressions` are findings of lint that the project skips.

    `rules` is the source of validation rules. Without it, kinds with validation markers are also checked with their
    schemas. Rules of tags are enforced from `level` on. `definitions` are manifests with definitions, whose kinds are
    checked with their schemas.
    """

    paths: tuple[str, ...]
    modules: Mapping[str, str] = field(default_factory=dict)
    readonly: tuple[str, ...] = ()
    require_directive: bool = False
    every_type: bool = False
    custom: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()
    target: str = NEWEST
    every_kind: bool = False
    refuse_unresolved: bool = False
    lint: bool = False
    strict_lint: bool = False
    suppressions: Suppressions = Suppressions()  # noqa: RUF009 - it is frozen
    rules: RuleSource | None = None
    level: Level = DEFAULT_LEVEL
    definitions: tuple[str, ...] = ()
    known_tags: bool = False
    bare_kinds: bool = False

    def with_definitions(self, definitions: Sequence[str], sources: Sequence[str]) -> Settings:
        """Returns the settings for arguments with some definitions; these settings unchanged if there are none."""
        return replace(self, paths=tuple(sources), definitions=tuple(definitions)) if definitions else self
