"""`serve --watch`: reloads types when they change; later requests use the new ones.

Errors are reported, and the old types stay. It is for development: the server keeps running.
"""

from __future__ import annotations

import contextvars
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import typer

from validation_gen.cli.watching import changes
from validation_gen.runtime.words import counted
from validation_gen.sources.recorded import noted
from validation_gen.webhooks.logs import SERVER

if TYPE_CHECKING:
    from validation_gen.sources.questions import Question
    from validation_gen.webhooks import Endpoint

#: The endpoints by path, and the names of the kinds.
Loaded = tuple["dict[str, Endpoint[Any]]", set[str]]


def load_again(load: Callable[[], Loaded], use: Callable[[Loaded], None]) -> None:
    """Loads the types, and reloads them in a thread whenever they change.

    Args:
        load: loads them. It prints errors, and raises `typer.Exit`.
        use: receives the loaded endpoints, each time.

    Raises:
        typer.Exit: the first load fails.
    """
    known = set(sys.modules)
    with noted() as notes:
        use(load())
    answers = dict(notes.answers)
    files = sum(1 for kind, _ in answers if kind == "file")
    SERVER.info("watching %s", counted(files, "file"))
    context = contextvars.copy_context()  # it holds the configuration
    threading.Thread(target=context.run, args=(_go_on, load, use, answers, known), daemon=True).start()


def _go_on(
    load: Callable[[], Loaded], use: Callable[[Loaded], None], answers: dict[Question, str], known: set[str]
) -> None:
    while True:
        changes(answers, known)
        with noted() as notes:
            try:
                use(load())
            except typer.Exit:
                SERVER.warning("the types of before stay")
            except typer.BadParameter as problem:  # an argument is no longer valid, such as a deleted file
                SERVER.warning("%s; the types of before stay", problem.format_message())
            except Exception as problem:  # the server keeps running after any error
                SERVER.exception("the types of before stay: %s", type(problem).__name__)
            else:
                SERVER.info("the types were read again")
        answers = {**answers, **notes.answers}
