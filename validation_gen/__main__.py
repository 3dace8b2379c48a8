"""`python -m validation_gen`."""

import os
import sys


def _leave_current_directory() -> None:
    """Removes the current directory from the front of `sys.path`, where `-m` puts it: its files are not trusted.

    Modules that Python imports for `-m` itself, such as `os`, are imported before this can run.
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
