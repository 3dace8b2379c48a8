"""Refuses code, servers and paths that only an untrusted configuration names."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from validation_gen.cli.config_context import Configured, get_configuration
from validation_gen.cli.terminal import ENVIRONMENT, print_diagnostics
from validation_gen.commands.generate.cache import cache_directory
from validation_gen.compiler.config import named
from validation_gen.compiler.config.trust import find_distrust, read_store, store_file
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.diagnostics.visible import redact
from validation_gen.sources.customs import PREFIX

if TYPE_CHECKING:
    from validation_gen.compiler.pipeline import Result

CODE = "VG911"
_HANDWRITTEN = "--handwritten"
#: Parameters with addresses, certificates and names of a peer.
PEER = ("url", "ca", "insecure", "client_cert", "client_key", "server_name")
_USED = {*PEER, *named.BELIEVED}
#: Parameters of inputs that may be URLs.
_SOURCES = sorted({name for names in named.SOURCES.values() for name in names})
#: Replaces a module of handwritten functions: it has each function, and none finds an error.
_NOTHING = f"""
def __getattr__(name):
    if name.startswith({PREFIX!r}):
        return lambda value, old, op: []
    raise AttributeError(name)
"""


def distrust(now: Configured | None = None) -> str:
    """Returns the reason why the code in the configuration must not run, `""` if it may.

    The reason is a clause that begins with `as`.
    """
    now = now or get_configuration()
    if now.trusts or now.config.file is None:
        return ""
    try:
        here = os.getcwd()  # noqa: PTH109
    except OSError:
        here = named.find_directory(now.config)
    return find_distrust(now.config, here, read_store(store_file()))


def leave_out_customs(result: Result) -> tuple[str, ...]:
    """Leaves out the handwritten functions of files that only an untrusted configuration names, and reports them.

    Returns the modules of these functions.
    """
    now = get_configuration()
    if not result.program.custom or not now.is_configured("custom_validations"):
        return ()
    why = distrust(now)
    if not why:
        return ()
    result.program.custom = dict.fromkeys(result.program.custom, _NOTHING)
    setting = now.settings["custom_validations"]
    message = f"{_names(setting.value)} was not run, {why}: its rules are left out"
    result.diagnostics.warning(CODE, message, setting.span, _help("--custom-validations"))
    return tuple(result.program.custom)


def end_if_untrusted(format: str, *parameters: str, functions: bool = False) -> None:
    """Ends a command if only an untrusted configuration names code that it runs, or a server that it contacts.

    Args:
        format: the format of findings.
        parameters: those of the command that name code or peers. URLs of inputs are always looked at.
        functions: True for a command that runs the functions of the table `handwritten`.

    Raises:
        typer.Exit: it does; the reasons have been printed.
    """
    now = get_configuration()
    found = list(_find_dangers(now, parameters))
    if functions:
        config = now.config
        found += [
            (f"python:{name}", "run", config.spans[type], _HANDWRITTEN) for type, name in config.handwritten.items()
        ]
    if not found or not (why := distrust(now)):
        return
    diagnostics = Diagnostics()
    for names, verb, span, option in found:
        diagnostics.error(CODE, f"{names} was not {verb}, {why}", span, _help(option))
    print_diagnostics(diagnostics, format)
    raise typer.Exit(ENVIRONMENT)


def _find_dangers(now: Configured, parameters: Sequence[str]) -> Iterator[tuple[str, str, Span, str]]:
    """Yields the code and the peers in a configuration: the names, the verb, where they are set, and the option."""
    for parameter in filter(now.is_configured, (*parameters, *_SOURCES)):
        setting, option = now.settings[parameter], now.options[parameter]
        value, verb = setting.value, "run"
        if parameter in _SOURCES:
            value, verb = named.urls(value), "contacted"
        elif parameter == named.CLUSTER:
            value, verb = "" if value.startswith("local") else value, "contacted"
        elif parameter in _USED:
            value, verb = option if isinstance(value, bool) else value, "used"
        elif str(value).startswith("webhook:"):
            verb = "contacted"
        if value:
            yield _names(value), verb, setting.span, option


def refuse_places(now: Configured) -> None:
    """Ends a command that would write outside of its project because of an untrusted configuration.

    Raises:
        typer.Exit: it would; the reason has been printed.
    """
    diagnostics = Diagnostics()
    places = ((place, named.find_outside(now.config, place[0])) for place in _list_output_paths(now))
    outside = [(*place, path) for place, path in places if path]
    why = distrust(now) if outside else ""
    if not why:
        return
    for place, option, span, path in outside:
        _tell(place, path, why, span, option, diagnostics)
    print_diagnostics(diagnostics, now.format)
    raise typer.Exit(ENVIRONMENT)


def results_place(given: str, *, no_cache: bool) -> Path | None:
    """Returns the cache directory, `None` for none.

    The content of a directory that only an untrusted configuration names may come with the project. So the user's own
    cache directory is used then.
    """
    if no_cache:
        return None
    now = get_configuration()
    return cache_directory("" if now.is_configured("cache_dir") and distrust(now) else given)


def untouchable() -> Callable[[str], str]:
    """Returns a function that explains why `--fix` skips a file: it is outside of the project and of arguments."""
    now = get_configuration()
    roots = [named.find_project(named.find_directory(now.config) if now.config.file else os.getcwd())]  # noqa: PTH109
    if not now.is_configured("paths"):
        paths = now.context.params.get("paths", []) if now.context else []
        roots += [os.path.realpath(path.removesuffix("...")) for path in paths]

    def reason(path: str) -> str:
        if any(named.is_inside(path, root) for root in roots) or now.trusts:
            return ""
        return f"it is {path}, outside of the project; name its directory on the command line, or give --trust"

    return reason


def _tell(place: str, path: str, why: str, span: Span, option: str, diagnostics: Diagnostics) -> None:
    why = why.replace("names it", "names this place")
    message = f"{place} is outside of the project, and nothing is written there, {why}"
    if path not in (place, os.path.abspath(place)):  # noqa: PTH100 - texts are compared
        message = message.replace(" is outside", f" is {path}, outside", 1)
    diagnostics.error("VG903", message, span, _help(option).replace("what it names", "where it leads"))


def _names(value: Any) -> str:
    names = value if isinstance(value, list) else [value]
    return redact(", ".join(names[:3])) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _list_output_paths(now: Configured) -> Iterator[tuple[str, str, Span]]:
    """Yields the output paths from the configuration: the path, the option, and where it is set."""
    for parameter, setting in now.settings.items():
        option = now.options.get(parameter, "")
        if now.is_configured(parameter) and option.removeprefix("--") in {*named.WRITTEN, "emit"}:
            yield from ((place, option, setting.span) for place in _places(setting.value))
    if "emit" in now.options and now.context is not None and not now.is_configured("emit"):
        for name in now.context.params.get("emit") or ():  # `NAME=DIR` is not the name of an output
            if place := now.config.find_output(name):
                yield str(place.value), now.options["emit"], place.span


def _places(value: Any) -> list[str]:
    """Returns the directories in a setting. The directory of an output is after its name."""
    return [each.partition("=")[2] for each in value if "=" in each] if isinstance(value, list) else [str(value)]


def _help(option: str) -> str:
    return f"look at what it names, then run `config trust`, or give --trust, or name it with {option}"
