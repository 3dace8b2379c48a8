"""The webhook of docs/howto-webhook.md, and what the page says that it answers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Program
from tests.commands.serve.serving import Process
from tests.docs.blocks import ROOT, blocks

PAGE = ROOT / "docs" / "howto-webhook.md"


@pytest.mark.process
def test_what_the_page_shows(tmp_path: Path) -> None:
    shown = {}
    for block in blocks(PAGE):
        if file := block.marks.get("file"):
            (tmp_path / file).parent.mkdir(exist_ok=True)
            (tmp_path / file).write_text(block.text)
        elif block.language == "console":
            command, _, output = block.text.partition("\n")
            shown[command.split()[3]] = output
    running = Process(tmp_path, "websites", "--self-signed", "--watch")
    try:
        done = Program(tmp_path)(
            "webhook", "review", "-f", "websites.yaml", "--insecure", "--url", f"https://127.0.0.1:{running.port}"
        )
        hint = running.lines_until("try it with: ")
    finally:
        assert running.end() == 130
    assert done.code == 1
    assert (done.out + done.err).splitlines() == shown["review"].splitlines()
    told = running.told.replace(f":{running.port}", ":9443").replace(hint, hint.partition(" --url")[0] + "\n")
    wanted = re.escape(shown["serve"].rstrip("\n")).replace("…", r"\d+")
    assert re.match(wanted, told), told
