"""Explanations of diagnostic codes, with an example and a fix.

Lint rules have their own. Each other code has a page in `diagnostics/`, which people can read as it is:

- The severities, then the reason.
- The files and the command of the example, in blocks. A line above a block names its file. A Go block without a name
  has the declarations of `v1/types.go`, without the package clause. The usual command is omitted.
- The blocks in which the fix differs from the example.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from validation_gen.compiler.lint.registry import lint_rules
from validation_gen.diagnostics import CODES, Severity

#: Directory of the pages, each named by its code.
PAGES = Path(__file__).with_name("diagnostics")
#: Default command of a sample. `v1` is the directory of its Go declarations.
COMMAND = "validation-gen v1"
_TYPES = "v1/types.go"

_PAGE = re.compile(
    r"# VG\d{3}\n\n\*\*Severity:\*\* (?P<severities>[a-z, ]+)\n\n(?P<reason>.+?)\n\n"
    r"## Example\n\n(?P<example>.+?\n)\n## Fix\n\n(?P<fix>.+)",
    re.DOTALL,
)
_BLOCK = re.compile(r"(?:`(?P<file>[^`\n]+)`:\n\n)?```(?P<language>[a-z]+)\n(?P<text>.*?\n)```\n", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Sample:
    """Something to try: Go declarations of one package, further files by name, and a command that reads them."""

    go: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    command: str = COMMAND

    @property
    def written(self) -> dict[str, str]:
        """Returns all files as they are on disk. The declarations are shown without the package clause."""
        declarations = {_TYPES: f"package v1\n{self.go}"} if self.go else {}
        return declarations | dict(self.files)


@dataclass(frozen=True, slots=True)
class Explanation:
    """`reason` explains the code in a sentence or two. `example` causes it and no other; `fix` causes none.

    `severities` are the possible ones of the code, that of the example first.
    """

    reason: str
    example: Sample
    fix: Sample
    severities: tuple[Severity, ...] = (Severity.ERROR,)


@cache
def explain(code: str) -> Explanation:
    """Returns the explanation of a code that is in `CODES`."""
    rule = lint_rules().get(code)
    if rule is None:
        return parse_page((PAGES / f"{code}.md").read_text(encoding="utf-8"))
    severities = (rule.severity, Severity.ERROR) if rule.refused_upstream else (rule.severity,)
    return Explanation(rule.reason, Sample(rule.example), Sample(rule.fix), severities)


def explanations() -> dict[str, Explanation]:
    """Returns the explanations of all codes, in the order of the codes."""
    return {code: explain(code) for code in CODES}


def parse_page(text: str) -> Explanation:
    """Parses the page of a code.

    Raises:
        ValueError: a part is missing, or there is text between the blocks.
    """
    page = _PAGE.fullmatch(text)
    if page is None:
        raise ValueError("a page has a severity, a reason, an example and a fix, in this order")
    example = _parse_sample(page["example"], Sample())
    severities = tuple(Severity(name) for name in page["severities"].split(", "))
    return Explanation(" ".join(page["reason"].split()), example, _parse_sample(page["fix"], example), severities)


def _parse_sample(text: str, base: Sample) -> Sample:
    """Parses the blocks of a sample; `base` has what they leave out."""
    go, files, command = base.go, dict(base.files), base.command
    for block in _BLOCK.finditer(text):
        if block["file"]:
            files[block["file"]] = block["text"]
        elif block["language"] == "console":
            command = block["text"].removeprefix("$ ").removesuffix("\n")
        else:
            go = f"\n{block['text']}"
    if rest := _BLOCK.sub("", text).strip():
        raise ValueError(f"no block of a sample: {rest.splitlines()[0]}")
    return Sample(go, files, command)
