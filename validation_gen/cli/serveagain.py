"""`serve --watch`: types are read again when they change, and requests that come later are answered by the new ones.

What is wrong with them is told, and the old ones stay. It is for development: the server runs on meanwhile.
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

#: What answers at which path, and the names of the kinds.
Loaded = tuple["dict[str, Endpoint[Any]]", set[str]]


def load_again(load: Callable[[], Loaded], use: Callable[[Loaded], None]) -> None:
    """Loads what there is, and goes on to do so in a thread whenever it has changed.

    Args:
        load: loads it. It prints what is wrong, and raises `typer.Exit`.
        use: takes what was loaded, each time.

    Raises:
        typer.Exit: it cannot be loaded at first.
    """
    known = set(sys.modules)
    with noted() as notes:
        use(load())
    answers = dict(notes.answers)
    files = sum(1 for kind, _ in answers if kind == "file")
    SERVER.info("watching %s", counted(files, "file"))
    context = contextvars.copy_context()  # in which the configuration is
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
            except typer.BadParameter as problem:  # what is named on the command line is no longer what it was
                SERVER.warning("%s; the types of before stay", problem.format_message())
            except Exception as problem:  # whatever it is, the server runs on
                SERVER.exception("the types of before stay: %s", type(problem).__name__)
            else:
                SERVER.info("the types were read again")
        answers = {**answers, **notes.answers}
