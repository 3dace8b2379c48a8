"""Ends programs whose asker was killed: a shell that waits for us to go away, and then kills what it was told.

A program that reads its standard input notices by itself. This is for the others, and for what they have started, as
nobody can do anything in a process that is killed. It knows process groups only: who leaves his group, escapes.
"""

from __future__ import annotations

import contextlib
import subprocess

# It reads the number of a group, and then nothing more: the end of the pipe is that of the process that holds it.
_SCRIPT = "trap '' HUP INT TERM; read -r group || exit; read -r more; kill -9 -$group"


class Guard:
    """Watches one process group. Where there is no shell, it does nothing."""

    def __init__(self) -> None:
        self._shell: subprocess.Popen[bytes] | None = None
        with contextlib.suppress(OSError):
            self._shell = subprocess.Popen(  # noqa: S603 - a text of our own
                ["/bin/sh", "-c", _SCRIPT],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                start_new_session=True,  # a terminal that goes away, or its Ctrl-C, is none of its business
            )

    def watch(self, group: int) -> None:
        """Has the group killed once this process has gone."""
        if self._shell and self._shell.stdin:
            with contextlib.suppress(OSError):
                self._shell.stdin.write(b"%d\n" % group)
                self._shell.stdin.flush()

    def dismiss(self) -> None:
        """Lets the group live: its number may soon be that of others."""
        shell, self._shell = self._shell, None
        if shell:
            shell.kill()
            shell.wait()
            if shell.stdin:
                with contextlib.suppress(OSError):
                    shell.stdin.close()
