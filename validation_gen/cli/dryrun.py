"""Accepts `--dry-run=server`, the spelling of kubectl, for `apply`."""

from __future__ import annotations

import typer

_OPTION = "--dry-run"
_CLIENT = "kubectl judges no custom object with it; write --dry-run=server, which this command answers without a server"


def without_value(given: list[str]) -> list[str]:
    """Replaces `--dry-run=server` by `--dry-run` in the arguments.

    Raises:
        typer.BadParameter: the option has another value.
    """
    return [_OPTION if word.startswith(f"{_OPTION}=") and _is_server(word) else word for word in given]


def _is_server(word: str) -> bool:
    value = word.partition("=")[2]
    if value == "server":
        return True
    reasons = {"client": _CLIENT, "none": "there is no server to change; write --dry-run=server"}
    reason = reasons.get(value, f"{value!r} is none of its values; write --dry-run=server")
    raise typer.BadParameter(reason, param_hint=f"'{_OPTION}'")
