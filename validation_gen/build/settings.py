"""What a run works on: the arguments of the commands that read sources, as one value.

It stands apart from the stages, so that what only hands it on starts without them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from validation_gen.diagnostics.levels import Suppressions
from validation_gen.rules.releases import NEWEST
from validation_gen.runtime.levels import DEFAULT_LEVEL, Level


class RuleSource(str, Enum):
    """By what validators judge: by tags, by the schemas of definitions, or by both."""

    TAGS = "tags"
    SCHEMA = "schema"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a run works on.

    `modules` maps import paths to directories with their sources; `readonly` lists import paths (or patterns) whose
    types are used but not generated for; `require_directive` asks for upstream's strict selection of packages. With
    `every_type` all exported types can be asked for by name, also those that the directives leave out; with
    `every_kind` packages without rules take part, too. `custom` lists Python files with handwritten checks. `target` is
    the Kubernetes release to agree with.
    With `bare_kinds` something is made of kinds without metadata, so that errors in these count.
    With `known_tags` the tags inside of Kubernetes' own types count, too.
    `refuse_unresolved` makes an error of a type that cannot be found.
    `lint` looks for tags that are legal but unwise, `strict_lint` makes errors of what upstream's own lint refuses;
    `suppressions` are findings of lint that the project skips.
    `rules` says by what validators judge. Without it, kinds that have markers of validation are judged by their
    schemas, too. Rules of tags are enforced from `level` on.
    `definitions` are manifests with definitions, whose kinds are judged by their schemas.
    """

    paths: tuple[str, ...]
    modules: Mapping[str, str] = field(default_factory=dict)
    readonly: tuple[str, ...] = ()
    require_directive: bool = False
    every_type: bool = False
    custom: tuple[str, ...] = ()
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
        """The settings for arguments of which some are definitions; these settings, if none is."""
        return replace(self, paths=tuple(sources), definitions=tuple(definitions)) if definitions else self
