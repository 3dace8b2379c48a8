"""Refuses code, servers and paths that only an untrusted configuration names."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from validation_gen.cli.config_context import Configured, configured
from validation_gen.cli.terminal import ENVIRONMENT, print_diagnostics
from validation_gen.commands.generate.cache import cache_directory
from validation_gen.compiler.config import named
from validation_gen.compiler.config.trust import Verdict, judge, read_store, store_file
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.diagnostics.visible import redact
from validation_gen.sources.customs import PREFIX

if TYPE_CHECKING:
    from validation_gen.compiler.pipeline import Result

CODE = "VG911"
#: Replaces a module of handwritten functions: it has each function, and none finds an error.
_NOTHING = f"""
def __getattr__(name):
    if name.startswith({PREFIX!r}):
        return lambda value, old, op: []
    raise AttributeError(name)
"""


def verdict(now: Configured | None = None) -> Verdict:
    """Returns whether the code in the configuration may run."""
    now = now or configured()
    if now.trusts or now.config.file is None:
        return Verdict(True)
    try:
        here = os.getcwd()  # noqa: PTH109
    except OSError:
        here = named.find_directory(now.config)
    return judge(now.config, here, read_store(store_file()))


def leave_out_customs(result: Result) -> tuple[str, ...]:
    """Leaves out the handwritten functions of files that only an untrusted configuration names, and reports them.

    Returns the modules of these functions.
    """
    now = configured()
    if not result.program.custom or not now.is_configured("custom_validations"):
        return ()
    found = verdict(now)
    if found.holds:
        return ()
    result.program.custom = dict.fromkeys(result.program.custom, _NOTHING)
    setting = now.settings["custom_validations"]
    message = f"{_names(setting.value)} was not run, {found.why}: its rules are left out"
    result.diagnostics.warning(CODE, message, setting.span, _help("--custom-validations"))
    return tuple(result.program.custom)


def refuse_customs(diagnostics: Diagnostics) -> None:
    """Reports files with handwritten functions that only an untrusted configuration names, as errors."""
    now = configured()
    if now.is_configured("custom_validations"):
        _refuse(now, "custom_validations", "--custom-validations", diagnostics)


def refuse_own(parameter: str, option: str, diagnostics: Diagnostics) -> None:
    """Reports code that only an untrusted configuration names, for a command that needs it."""
    now = configured()
    if now.is_configured(parameter):
        _refuse(now, parameter, option, diagnostics)


def refuse_handwritten(given: str, diagnostics: Diagnostics) -> None:
    """Reports handwritten validators, and settings of their webhook, that only an untrusted configuration names."""
    now = configured()
    if now.is_configured("handwritten"):
        _refuse(now, "handwritten", "--handwritten", diagnostics)
    elif not given and now.config.handwritten:
        found = verdict(now)
        for type, function in now.config.handwritten.items() if not found.holds else ():
            message = f"python:{function} was not run, {found.why}"
            diagnostics.error(CODE, message, now.config.spans[type], _help("--handwritten"))
    for key in named.BELIEVED if given.startswith("webhook:") else ():
        if now.is_configured(key.replace("-", "_")):
            _refuse(now, key.replace("-", "_"), f"--{key}", diagnostics)


def refuse_cluster(text: str, diagnostics: Diagnostics) -> None:
    """Reports a cluster elsewhere that only an untrusted configuration names."""
    now = configured()
    if now.is_configured(named.CLUSTER) and not text.startswith("local"):
        _refuse(now, named.CLUSTER, "--cluster", diagnostics)


def refuse_sources(diagnostics: Diagnostics) -> None:
    """Reports URLs of inputs that only an untrusted configuration names: reading them would contact servers."""
    now = configured()
    for parameter in sorted({name for names in named.SOURCES.values() for name in names}):
        found = named.urls(now.settings[parameter].value) if now.is_configured(parameter) else []
        if found and not (judged := verdict(now)).holds:
            message = f"{_names(found)} was not contacted, {judged.why}"
            diagnostics.error(CODE, message, now.settings[parameter].span, _help(now.options[parameter]))


def refuse_peer(diagnostics: Diagnostics) -> None:
    """Reports peers, certificates and names of a connection that an untrusted configuration sets."""
    now = configured()
    for parameter in ("url", "ca", "insecure", "client_cert", "client_key", "server_name"):
        if now.is_configured(parameter) and not (found := verdict(now)).holds:
            setting, option = now.settings[parameter], now.options[parameter]
            named_there = option if isinstance(setting.value, bool) else _names(setting.value)
            diagnostics.error(CODE, f"{named_there} was not used, {found.why}", setting.span, _help(option))


def refuse_places(now: Configured) -> None:
    """Ends a command that would write outside of its project because of an untrusted configuration.

    Raises:
        typer.Exit: it would; the reason has been printed.
    """
    diagnostics = Diagnostics()
    found: Verdict | None = None
    for option, place, span in _configured_places(now):
        path = named.place_outside(now.config, place)
        if path:
            found = found or verdict(now)
            if not found.holds:
                _tell(place, path, found, span, option, diagnostics)
    if diagnostics.items:
        print_diagnostics(diagnostics, now.format)
        raise typer.Exit(ENVIRONMENT)


def results_place(given: str, *, no_cache: bool) -> Path | None:
    """Returns the cache directory, `None` for none.

    The content of a directory that only an untrusted configuration names may come with the project. So the user's own
    cache directory is used then.
    """
    if no_cache:
        return None
    now = configured()
    return cache_directory("" if now.is_configured("cache_dir") and not verdict(now).holds else given)


def untouchable() -> Callable[[str], str]:
    """Returns a function that explains why `--fix` skips a file: it is outside of the project and of arguments."""
    now = configured()
    roots = [named.find_project(named.find_directory(now.config) if now.config.file else os.getcwd())]  # noqa: PTH109
    if not now.is_configured("paths"):
        paths = now.context.params.get("paths", []) if now.context else []
        roots += [os.path.realpath(path.removesuffix("...")) for path in paths]

    def reason(path: str) -> str:
        if any(named.is_inside(path, root) for root in roots) or now.trusts:
            return ""
        return f"it is {path}, outside of the project; name its directory on the command line, or give --trust"

    return reason


def end_if_refused(diagnostics: Diagnostics, format: str) -> None:
    """Ends a command after a refusal.

    Raises:
        typer.Exit: something was refused.
    """
    if any(each.code == CODE for each in diagnostics.items):
        print_diagnostics(diagnostics, format)
        raise typer.Exit(ENVIRONMENT)


def _refuse(now: Configured, parameter: str, option: str, diagnostics: Diagnostics) -> None:
    found = verdict(now)
    if not found.holds:
        setting = now.settings[parameter]
        verb = "contacted" if str(setting.value).startswith(("webhook:", "tcp:", "tls:")) else "run"
        verb = "used" if option.removeprefix("--") in named.BELIEVED else verb
        diagnostics.error(CODE, f"{_names(setting.value)} was not {verb}, {found.why}", setting.span, _help(option))


def _tell(place: str, path: str, found: Verdict, span: Span, option: str, diagnostics: Diagnostics) -> None:
    why = found.why.replace("names it", "names this place")
    message = f"{place} is outside of the project, and nothing is written there, {why}"
    if path not in (place, os.path.abspath(place)):  # noqa: PTH100 - texts are compared
        message = message.replace(" is outside", f" is {path}, outside", 1)
    diagnostics.error("VG903", message, span, _help(option).replace("what it names", "where it leads"))


def _names(value: Any) -> str:
    names = value if isinstance(value, list) else [value]
    return redact(", ".join(names[:3])) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _configured_places(now: Configured) -> Iterator[tuple[str, str, Span]]:
    """Yields the output paths from the configuration: the option, the path, and where it is set."""
    for parameter, setting in now.settings.items():
        option = now.options.get(parameter, "")
        if now.is_configured(parameter) and option.removeprefix("--") in {*named.WRITTEN, "emit"}:
            yield from ((option, place, setting.span) for place in _places(setting.value))
    if "emit" in now.options and now.context is not None and not now.is_configured("emit"):
        for name in now.context.params.get("emit") or ():  # `NAME=DIR` is not the name of an output
            if place := now.config.find_output(name):
                yield now.options["emit"], str(place.value), place.span


def _places(value: Any) -> list[str]:
    """Returns the directories of a setting; that of an output follows its name."""
    return [each.partition("=")[2] for each in value if "=" in each] if isinstance(value, list) else [str(value)]


def _help(option: str) -> str:
    return f"look at what it names, then run `config trust`, or give --trust, or name it with {option}"
