"""Parses the text that names a side."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from validation_gen.runtime.words import nearest
from validation_gen.uses.compare.sides.commands import CommandSpec
from validation_gen.uses.compare.sides.functions import FunctionSpec
from validation_gen.uses.compare.sides.options import SideOptions, SideSpec
from validation_gen.uses.compare.sides.untrusted import SpecError
from validation_gen.uses.compare.sides.webhooks import WebhookSpec

_FORMS = "python:module:function, exec:COMMAND or webhook:URL"
_MAKERS: dict[str, Callable[[str, SideOptions], SideSpec]] = {
    "python": FunctionSpec,
    "exec": CommandSpec,
    "webhook": WebhookSpec,
}


def parse_spec(text: str, options: SideOptions | None = None, *, check: bool = True) -> SideSpec:
    """Parses `python:module:function`, `exec:COMMAND` or `webhook:URL`.

    The path to a file can replace the module. Checking imports the module of a function.

    Raises:
        SpecError: the text is none of these.
    """
    scheme, _, rest = text.partition(":")
    make = _MAKERS.get(scheme)
    if make is None:
        raise SpecError(f"{text!r:.200} does not say how to ask it", _meant(scheme, rest, text))
    spec = make(rest, options or SideOptions())
    if check:
        spec.check()
    return spec


def text_of(spec: SideSpec) -> tuple[str, SideOptions]:
    """Returns the text and the options of a side, the arguments of `parse_spec`."""
    if isinstance(spec, FunctionSpec):
        return f"python:{spec.name}", spec.options
    if isinstance(spec, CommandSpec):
        return f"exec:{spec.command}", spec.options
    assert isinstance(spec, WebhookSpec)
    return f"webhook:{spec.url}", spec.options


def _meant(scheme: str, rest: str, text: str) -> str:
    if scheme in ("http", "https"):
        return f"write webhook:{text}"
    near = nearest(scheme.lower(), _MAKERS, cutoff=0.75)
    if near and rest:
        return f"write {near[0]}:{rest}"
    if rest and (scheme.endswith(".py") or scheme.replace(".", "_").isidentifier()):
        return f"write python:{text}"
    first = text.split(maxsplit=1)[:1]
    if first and Path(first[0]).is_file() and not text.endswith(".py"):
        return f"write exec:{text}"
    return f"write {_FORMS}"
