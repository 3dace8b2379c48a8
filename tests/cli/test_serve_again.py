"""`webhook serve --watch` without a server: problems of what is read again are reported, and the old types stay."""

from __future__ import annotations

import logging
from typing import Any

import pytest
import typer

from validation_gen.cli import serve
from validation_gen.webhooks.logs import SERVER


class _EndError(Exception):
    """Nothing changes any more."""


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (typer.Exit(1), "the types of before stay"),
        (
            typer.BadParameter("there is no file own.py", param_hint="--with"),
            "Invalid value for --with: there is no file own.py; the types of before stay",
        ),
        (ZeroDivisionError("secret"), "the types of before stay: ZeroDivisionError"),
    ],
)
def test_what_is_wrong_later_is_told(
    problem: Exception, said: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    turns = iter([None, None])
    used: list[str] = []
    results: Any = iter([problem, "new"])

    def changes(*_: Any) -> None:
        if next(turns, _EndError) is _EndError:
            raise _EndError

    def load() -> Any:
        found = next(results)
        if isinstance(found, Exception):
            raise found
        return found

    monkeypatch.setattr(serve, "changes", changes)
    monkeypatch.setattr(SERVER, "propagate", True)
    caplog.set_level(logging.INFO)
    with pytest.raises(_EndError):
        serve._go_on(load, used.append, {}, set())  # type: ignore[arg-type]
    assert caplog.messages == [said, "the types were read again"]
    assert used == ["new"]
