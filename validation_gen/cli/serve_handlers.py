"""Endpoints of `validation-gen webhook serve` beside generated validators: functions of users, gates, and harnesses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

import typer

from validation_gen.cli import checks
from validation_gen.cli.config_context import get_configuration
from validation_gen.cli.options import LEVEL, OPTION, RULES, Options, option
from validation_gen.cli.terminal import ENVIRONMENT, print_diagnostics
from validation_gen.cli.trust_policy import end_if_untrusted
from validation_gen.compiler.settings import RuleSource
from validation_gen.diagnostics import Diagnostics
from validation_gen.runtime.levels import Level

if TYPE_CHECKING:
    from validation_gen.compiler.pipeline import Result
    from validation_gen.compiler.settings import Settings
    from validation_gen.kubernetes.objects import Scheme
    from validation_gen.mismatch import Harness
    from validation_gen.runtime.registry import Registry
    from validation_gen.webhooks import Endpoint, Gates


@dataclass(frozen=True)
class Beside(Options):
    """Options for endpoints beside generated validators, and for rules."""

    rules: RuleSource | None = RULES()
    level: Level = LEVEL()
    with_files: list[str] = option(
        [],
        "A Python file with functions under @validates, @mutates or @converts, or other conversions. Repeatable.",
        "FILE.py",
        names=("--with",),
    )
    gates: str = option(
        "", "Feature gates, validation options and the effect of each level; read again when it changes.", "FILE"
    )
    handwritten: str = option(
        "", "Handwritten validators, which run beside those of the tags: MODULE:FUNCTION or FILE.py:FUNCTION.", "SPEC"
    )
    option: list[str] = OPTION()

    def endpoints(
        self,
        result: Result,
        registry: Registry,
        settings: Settings,
        options: Mapping[str, bool],
        told: Callable[[str], None],
    ) -> dict[str, Endpoint[Any]]:
        """Returns the endpoints by path.

        Args:
            result: the program.
            registry: its validators.
            settings: the inputs.
            options: the validation options where no file has them.
            told: receives changes of the file with gates, and kinds without known defaults.

        Raises:
            typer.Exit: something cannot be loaded, which has been printed.
            typer.BadParameter: an argument names something that cannot be loaded.
        """
        from validation_gen.webhooks import DeclarationError, conversions  # noqa: PLC0415 - late, so that --help stays fast
        from validation_gen.webhooks.application import (  # noqa: PLC0415
            endpoints,
            find_scalable,
            make_defaults,
        )
        from validation_gen.webhooks.checks import has_functions  # noqa: PLC0415

        # A webhook without this code would accept too much.
        end_if_untrusted("concise", "custom_validations", "with_files", "handwritten")
        gates = self._gates(settings, result.program.options, options, told)
        scheme = _scheme(settings, registry, options, told)
        modules = [_module(file) for file in self.with_files]
        converting = [module for module in modules if conversions.declares(module)]
        with checks.blame("--with", DeclarationError, conversions.DeclarationError):
            return endpoints(
                registry,
                gates=gates,
                functions=[each for each in modules if each not in converting or has_functions(each)],
                defaults=make_defaults(scheme),
                converter=conversions.Converter.of(*converting) if converting else None,
                harnesses=self._harnesses(registry, gates),
                scalable=find_scalable(scheme),
                at_once=not settings.custom,  # these are functions of users, too
            )

    def _gates(self, settings: Settings, known: Any, options: Mapping[str, bool], told: Callable[[str], None]) -> Gates:
        from validation_gen.webhooks import GateError, Gates  # noqa: PLC0415 - late, as above

        try:
            return Gates(
                self.gates or None, target=settings.target, options=options, level=self.level, known=known, told=told
            )
        except GateError as problem:
            print_diagnostics(problem.diagnostics, "full")
            raise typer.Exit(ENVIRONMENT) from None

    def _harnesses(self, registry: Registry, gates: Gates) -> dict[str, Harness]:
        """Returns a harness for each kind, if there is handwritten validation."""
        if not self.handwritten:
            return {}
        from validation_gen.commands.compare.sides.functions import load  # noqa: PLC0415
        from validation_gen.commands.compare.sides.untrusted import SpecError  # noqa: PLC0415
        from validation_gen.mismatch import Harness  # noqa: PLC0415 - late, as above
        from validation_gen.mismatch.metrics import Metrics  # noqa: PLC0415

        if self.handwritten.startswith(("exec:", "webhook:")):
            message = "a webhook runs functions alone; write MODULE:FUNCTION, or ask it by compare"
            raise typer.BadParameter(message, param_hint="--handwritten")
        with checks.blame("--handwritten", SpecError, ValueError, TypeError):
            now = get_configuration()
            own = now.is_configured("handwritten") and now.config.file
            function = load(self.handwritten.removeprefix("python:"), str(own.parent) if own else "")
            return {
                f"{kind.api_version}/{kind.name}": Harness.of(
                    registry,
                    f"{kind.package}.{kind.name}",
                    function,
                    gates=gates.features,
                    options=lambda obj, old: gates.state.options,
                    observers=[Metrics()],
                )
                for kind in registry.kinds
                if kind.api_version
            }


def _module(file: str) -> ModuleType:
    from validation_gen.commands.compare.sides.functions import load_file  # noqa: PLC0415
    from validation_gen.commands.compare.sides.untrusted import SpecError  # noqa: PLC0415 - late, as above

    with checks.blame("--with", SpecError):
        return load_file(file)


def _scheme(settings: Settings, registry: Registry, options: Mapping[str, bool], told: Callable[[str], None]) -> Scheme:
    """Returns the definitions of the kinds, for their defaults. Skips definitions that a server would refuse."""
    from validation_gen.commands.schemes import load_scheme  # noqa: PLC0415
    from validation_gen.commands.typeschemes import add_types  # noqa: PLC0415 - late, as above

    found = Diagnostics()  # already reported, as far as validators are concerned
    scheme = load_scheme(settings.definitions, found, settings.target)
    if missing := add_types(scheme, settings, registry, found, options):
        said = "their definitions would be refused; validation-gen crd says why"
        told(f"no defaults are known of {', '.join(missing)}: {said}")
    return scheme
