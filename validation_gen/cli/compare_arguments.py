"""Parses arguments of `validation-gen compare` with a syntax of their own: sides, gates, rules for paths."""

from __future__ import annotations

import os
from dataclasses import replace

import typer

from validation_gen.cli import checks
from validation_gen.cli.config_context import get_configuration
from validation_gen.commands.compare.sides import RoutedSpec, SideOptions, SideSpec, SpecError, parse_spec
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.mismatch.gates import FeatureGates, parse_gates
from validation_gen.mismatch.matcher import NormalizationRule

_LONGEST = 86_400  # maximum timeout in seconds


def handwritten_side(
    text: str, options: SideOptions, headers: list[str], plurals: list[str], diagnostics: Diagnostics
) -> SideSpec | None:
    """Returns the side that `--handwritten` names, or the one in the project's settings if it names none.

    `None` if there is none; then the diagnostics have the reason.
    """
    if options.timeout is not None and not options.timeout <= _LONGEST:  # true for nan, too
        raise typer.BadParameter(
            f"{options.timeout:g} is not a number of seconds up to {_LONGEST}", param_hint="--timeout"
        )
    pairs = _pairs(headers, ":", "--header", "NAME:VALUE"), _pairs(plurals, "=", "--plural", "KIND=PLURAL")
    if not text:
        return _read_side(diagnostics)
    now = get_configuration()
    if now.is_configured("handwritten") and now.config.file:
        options = replace(options, directory=os.path.abspath(now.config.file.parent))  # noqa: PTH100 - a text
    with checks.blame("--handwritten", SpecError):
        return parse_spec(text, replace(options, headers=pairs[0], plurals=pairs[1]))


def _read_side(diagnostics: Diagnostics) -> SideSpec | None:
    config = get_configuration().config
    ways = SideOptions(directory=os.path.abspath(config.file.parent) if config.file else "")  # noqa: PTH100 - a text
    if not config.handwritten:
        if not diagnostics.has_errors:
            help = "name it with --handwritten, or in pyproject.toml below [tool.validation-gen.handwritten]"
            diagnostics.error("VG904", "no handwritten validator is named", Span("--handwritten"), help)
        return None
    routes = []
    for type, function in config.handwritten.items():
        package, _, name = type.rpartition(".")
        try:
            routes.append(((package, name), parse_spec(f"python:{function}", ways)))
        except SpecError as error:
            diagnostics.error("VG904", error.reason, config.spans[type], error.suggestion)
    return None if diagnostics.has_errors else RoutedSpec(tuple(routes))


def _pairs(texts: list[str], separator: str, flag: str, form: str) -> tuple[tuple[str, str], ...]:
    found = []
    for text in texts:
        name, separated, value = text.partition(separator)
        if not separated or not name.strip():
            raise typer.BadParameter(f"{text!r} is not {form}", param_hint=flag)
        found.append((name.strip(), value.strip()))
    return tuple(found)


def normalization(texts: list[str]) -> tuple[tuple[str, str], ...]:
    """Parses the patterns and replacements of `--normalize`."""
    rules = []
    for text in texts:
        regexp, equals, path = text.rpartition("=")
        with checks.blame("--normalize", ValueError):
            if not equals or not regexp:
                raise ValueError(f"{text!r} is not REGEXP=PATH")
            NormalizationRule(regexp, path)
        rules.append((regexp, path))
    return tuple(rules)


def feature_gates(text: str, lifecycle: bool, target: str) -> dict[str, bool] | None:
    """Parses the gates of `--feature-gates`, `None` without `--lifecycle`."""
    if text and not lifecycle:
        raise typer.BadParameter("feature gates matter with --lifecycle only", param_hint="--feature-gates")
    with checks.blame("--feature-gates", ValueError):
        gates = parse_gates(text)
        FeatureGates(target, gates)
    return gates if lifecycle else None
