"""Ends programs if this process is killed: a shell waits for its end, and then kills a process group.

A program that reads its standard input notices the end by itself. The shell is for the others, and for their children,
as a killed process cannot clean up. It only knows process groups: a process that leaves its group escapes.
"""

from __future__ import annotations

import contextlib
import subprocess

# It reads the number of a group, and then nothing more: the pipe ends with the process that holds it.
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
                start_new_session=True,  # Ctrl-C and hang-ups of the terminal must not end it
            )

    def watch(self, group: int) -> None:
        """Watches a group, which is killed once this process has ended."""
        if self._shell and self._shell.stdin:
            with contextlib.suppress(OSError):
                self._shell.stdin.write(b"%d\n" % group)
                self._shell.stdin.flush()

    def dismiss(self) -> None:
        """Ends the watch: the group's number may soon be reused."""
        shell, self._shell = self._shell, None
        if shell:
            shell.kill()
            shell.wait()
            if shell.stdin:
                with contextlib.suppress(OSError):
                    shell.stdin.close()
