"""The documents, and their blocks as they are written. What is done with a block is told by `workspace`."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / ".ci"))  # processes that tests start do not have it
import site_reference  # noqa: E402

README = ROOT / "README.md"
#: Texts of the pages that only the site has. Their examples are tried in tests/explain; keys and commands have none.
GENERATED = {ROOT / "docs" / name: text for name, text in site_reference.pages().items()}
DOCUMENTS = [README, *sorted((ROOT / "docs").glob("**/*.md"))]


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of a document. `marks` are the comments above it by their first word."""

    language: str
    text: str
    line: int
    marks: dict[str, str]

    @property
    def runs(self) -> bool:
        """Whether something happens here that can fail."""
        return bool({"run", "session"} & self.marks.keys()) or (
            self.language in ("console", "sh", "pycon", "python") and not {"file", "not-run"} & self.marks.keys()
        )


_COMMENT = re.compile(r"<!-- ([\w-]+)(?:: (.*))? -->")


def blocks(document: Path) -> list[Block]:
    return read_blocks(document.read_text(encoding="utf-8"))


def read_blocks(document: str) -> list[Block]:
    """Fences stand at the beginning of a line and have three backticks; test_blocks.py sees to it."""
    found = []
    marks: dict[str, str] = {}
    lines = iter(enumerate(document.splitlines(), 1))
    for number, line in lines:
        comment = _COMMENT.fullmatch(line)
        if comment:
            marks[comment[1]] = comment[2] or ""
        elif line.startswith("```"):
            inside = []
            for _, text in lines:
                if text == "```":
                    break
                inside.append(text)
            found.append(Block(line[3:], "\n".join(inside) + "\n", number + 1, marks))
            marks = {}
        else:
            marks = {}
    return found
