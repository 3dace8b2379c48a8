"""`--dry-run` of `apply` as users of kubectl spell it: with a value."""

from __future__ import annotations

import typer

_OPTION = "--dry-run"
_CLIENT = "kubectl judges no custom object with it; write --dry-run=server, which this command answers without a server"


def without_value(given: list[str]) -> list[str]:
    """The arguments with `--dry-run` for `--dry-run=server`.

    Raises:
        typer.BadParameter: another value, which means something else.
    """
    return [_OPTION if word.startswith(f"{_OPTION}=") and _is_server(word) else word for word in given]


def _is_server(word: str) -> bool:
    value = word.partition("=")[2]
    if value == "server":
        return True
    reasons = {"client": _CLIENT, "none": "there is no server to change; write --dry-run=server"}
    reason = reasons.get(value, f"{value!r} is none of its values; write --dry-run=server")
    raise typer.BadParameter(reason, param_hint=f"'{_OPTION}'")
