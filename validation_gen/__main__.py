"""`python -m validation_gen`."""

import os
import sys


def _leave_current_directory() -> None:
    """Undoes what `-m` does: the current directory stands before Python's own library, and its files are not ours.

    `os` has been imported before anything of ours. So has what `-m` itself needs, which nobody here can help.
    """
    if getattr(sys.flags, "safe_path", False) or sys.flags.isolated or not sys.path:
        return
    try:
        here = os.getcwd()  # noqa: PTH109 - nothing more may be imported yet
    except OSError:
        here = ""
    if sys.path[0] in ("", here):
        del sys.path[0]


if __name__ == "__main__":
    _leave_current_directory()

from validation_gen.cli.main import run  # noqa: E402 - only now

run()
