"""A headless Chromium that is spoken to over a pipe, in the DevTools protocol: JSON messages that end with a NUL.

It needs no package. `browser` skips the tests where there is no Chromium.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_PATIENCE = 60.0

#: Moves the ends of the pipes to where Chromium looks for them, and becomes Chromium.
_START = "import os, sys; [os.dup2(int(sys.argv[i]), i + 2) for i in (1, 2)]; os.execv(sys.argv[3], sys.argv[3:])"

#: What the tab key has to reach: visible elements that take part in the order of tabs.
_FOCUSABLE = """
    [...document.querySelectorAll('a[href], button, input, summary, [tabindex="0"]')]
        .filter((e) => e.checkVisibility())
"""


class Browser:
    """One process with one page. Everything that the page asks for, says or is refused is noted in `events`."""

    def __init__(self, program: str, directory: Path) -> None:
        read_commands, self._commands = os.pipe()
        self._answers, write_answers = os.pipe()
        # Chromium reads from 3 and writes to 4. Ours have other numbers, so that they are not in the way there.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (read_commands, write_answers)]
        flags = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--remote-debugging-pipe",
            f"--user-data-dir={directory}",
        ]
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, *map(str, ends), program, *flags, "about:blank"],
            pass_fds=ends,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for end in (read_commands, write_answers, *ends):
            os.close(end)
        self._buffer = b""
        self._number = 0
        self._session = ""
        self.events: list[dict[str, Any]] = []

    def attach(self) -> None:
        """Opens a page and listens to it."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self) -> None:
        """Ends the process: when its pipe is closed, Chromium goes."""
        os.close(self._commands)
        try:
            self._process.wait(_PATIENCE)
        finally:
            if self._process.poll() is None:
                self._process.kill()
                self._process.wait()
            os.close(self._answers)

    def call(self, method: str, **params: Any) -> Any:
        """Calls a method and waits for what it returns."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._commands, data) :]
        while (answer := self._receive()).get("id") != self._number:
            self.events.append(answer)
        assert "error" not in answer, f"{method}: {answer['error']}"
        return answer["result"]

    def _receive(self) -> dict[str, Any]:
        deadline = time.monotonic() + _PATIENCE
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._answers], [], [], max(deadline - time.monotonic(), 0))
            assert ready, "the browser does not answer"
            chunk = os.read(self._answers, 1 << 16)
            assert chunk, "the browser has gone"
            self._buffer += chunk
        line, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        return message

    # --- a page -------------------------------------------------------------------------------------------------------

    def open(self, file: Path, width: int = 1280, *, dark: bool = False, media: str = "", scripts: bool = True) -> None:
        """Shows a file as a screen of that width does, and waits until it is loaded."""
        self.events.clear()
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        phone = width < 600
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=phone)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", media=media, features=[scheme])
        self.call("Page.navigate", url=file.as_uri())
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._receive())

    def value(self, expression: str) -> Any:
        """The value of an expression in the page, beside its own scripts and policy."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def press_tab(self) -> None:
        for type in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=type, key="Tab", code="Tab", windowsVirtualKeyCode=9)

    def tab_through(self) -> tuple[int, int]:
        """How many elements should be reached by the tab key, and how many are."""
        wanted = self.value(f"(window.wanted = {_FOCUSABLE}).length")
        self.value("window.reached = new Set()")
        for _ in range(wanted):
            self.press_tab()
            self.value("void window.reached.add(document.activeElement)")
        return wanted, self.value("window.wanted.filter((e) => window.reached.has(e)).length")

    def picture(self, file: Path) -> None:
        """Writes the whole page as a PNG, for people who change its looks."""
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=True, format="png")
        file.write_bytes(base64.b64decode(shot["data"]))

    @property
    def requests(self) -> list[str]:
        """The addresses that the page has asked for."""
        sent = [event for event in self.events if event.get("method") == "Network.requestWillBeSent"]
        return [event["params"]["request"]["url"] for event in sent]

    @property
    def complaints(self) -> list[Any]:
        """What stands in the console: errors, refusals by the policy, and whatever scripts print."""
        methods = {"Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"}
        return [event["params"] for event in self.events if event.get("method") in methods]


@contextmanager
def started(directory: Path) -> Iterator[Browser]:
    """A browser, closed in the end."""
    program = next(filter(None, map(shutil.which, _NAMES)), None)
    if program is None:
        pytest.skip(f"no browser on the PATH: one of {', '.join(_NAMES)} is needed")
    browser = Browser(program, directory)
    try:
        browser.attach()
        yield browser
    finally:
        browser.close()
