"""Groups of options, declared once: a command takes a group as one parameter.

A group is a dataclass whose fields are options with their defaults. `grouped` replaces the parameter by the options, in
the order of the fields, and passes the group to the command.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from typing import Any, get_type_hints

from validation_gen.cli.options import (
    AllowUnresolved,
    Custom,
    EnforcedLevel,
    KnownTags,
    Modules,
    Readonly,
    RequireDirective,
    Target,
    settings,
)
from validation_gen.cli.schemaoptions import MaxDescription, Options, schema_options
from validation_gen.compiler.settings import Settings
from validation_gen.emit.schema.manner import Manner, SchemaOptions
from validation_gen.rules.releases import NEWEST, RELEASES
from validation_gen.runtime.levels import DEFAULT_LEVEL


@dataclasses.dataclass(frozen=True)
class Types:
    """Options for reading types, and the target release."""

    module: Modules = field(default_factory=list)
    known_tags: KnownTags = False
    target: Target = NEWEST

    def settings(self, paths: list[str]) -> Settings:
        """Returns the settings of a run.

        Raises:
            typer.BadParameter: as `options.settings`.
        """
        return settings(paths, self.module, [], False, [], self.target, self.known_tags)


@dataclasses.dataclass(frozen=True)
class Sources:
    """Options for reading sources, and the target release."""

    module: Modules = field(default_factory=list)
    known_tags: KnownTags = False
    readonly_pkg: Readonly = field(default_factory=list)
    require_directive: RequireDirective = False
    custom_validations: Custom = field(default_factory=list)
    target: Target = NEWEST

    def settings(self, paths: list[str], releases: Sequence[str] = RELEASES) -> Settings:
        """Returns the settings of a run. `releases` are the possible targets.

        Raises:
            typer.BadParameter: as `options.settings`.
        """
        return settings(
            paths,
            self.module,
            self.readonly_pkg,
            self.require_directive,
            self.custom_validations,
            self.target,
            self.known_tags,
            releases,
        )


@dataclasses.dataclass(frozen=True)
class KeptRules:
    """Options that choose the rules and descriptions in schemas."""

    option: Options = field(default_factory=list)
    level: EnforcedLevel = DEFAULT_LEVEL
    max_description: MaxDescription = None
    allow_unresolved: AllowUnresolved = False

    def options(self, schema: Manner = Manner.IDIOMATIC) -> SchemaOptions:
        """Returns the settings of a generation of schemas.

        Raises:
            typer.BadParameter: an option is not NAME=true or NAME=false.
        """
        return schema_options(schema, self.option, self.level, self.max_description)


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Replaces groups among the parameters of a command by their options."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {}
    parameters: list[inspect.Parameter] = []
    for parameter in inspect.signature(command).parameters.values():
        hint = hints[parameter.name]
        if dataclasses.is_dataclass(hint):
            groups[parameter.name] = hint
            parameters += _options(hint)
        else:
            parameters.append(parameter.replace(annotation=hint, kind=inspect.Parameter.KEYWORD_ONLY))

    def run(**values: Any) -> None:
        for name, group in groups.items():
            values[name] = group(**{each.name: values.pop(each.name) for each in dataclasses.fields(group)})
        command(**values)

    run.__name__, run.__doc__, run.__module__ = command.__name__.lstrip("_"), command.__doc__, command.__module__
    run.__annotations__ = {each.name: each.annotation for each in parameters} | {"return": None}
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return run


def _options(group: Any) -> Iterator[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    for each in dataclasses.fields(group):
        default = each.default if each.default_factory is dataclasses.MISSING else each.default_factory()
        yield inspect.Parameter(each.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hints[each.name])
