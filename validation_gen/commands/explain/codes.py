"""Articles about diagnostic codes, with an example and a fix.

Lint rules have their own. Each other code has a page in `diagnostics/`, which people can read as it is:

- The severities, then the reason.
- The files and the command of the example, in blocks. A line above a block names its file. A Go block without a name
  has the declarations of `v1/types.go`, without the package clause. The usual command is omitted.
- The blocks in which the fix differs from the example.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

from validation_gen.commands.explain.article import Article, Block, Listing, Prose, Section, article_lines, article_text
from validation_gen.compiler.lint.survey import lint_rules
from validation_gen.diagnostics import CODES, Severity
from validation_gen.diagnostics.formats.sariflog import About
from validation_gen.diagnostics.formats.text import styler

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
    """Parses the blocks of a sample; `base` has the parts that they leave out."""
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


_WIDTH = 100

_LANGUAGES = {"go": "go", "jsonl": "json", "py": "python", "toml": "toml", "yaml": "yaml"}


def about_code(code: str) -> Article:
    """Returns the article about a code that is in `CODES`."""
    explanation = explain(code)
    example, fix = _find_changed_blocks(explanation.example, explanation.fix)
    sections = [
        Section("Severity", (Prose(severity(code)),)),
        Section("Reason", (Prose(explanation.reason),)),
        Section("Example", example),
        Section("Fix", fix),
    ]
    if code in lint_rules():
        ignore = f"a line `validation-gen:ignore {code} <reason>` in the comment of the type or field"
        sections.append(Section("Ignore", (Prose(ignore),)))
    return Article(code, CODES[code], tuple(sections))


def brief(code: str) -> About:
    """Returns the description of a code that is in `CODES`, for machine-readable formats."""
    article = about_code(code)
    text = article_text(article, styler(False), _WIDTH)
    markdown = "\n".join(article_lines(article, article.name)) + "\n"
    page = _documentation()
    uri = f"{page.rstrip('/')}/diagnostics/#{code.lower()}" if page else ""
    explanation = explain(code)
    return About(explanation.reason, text, markdown, explanation.severities[0], uri)


def _documentation() -> str:
    """Returns the URL of the documentation, if the package has one."""
    try:
        urls: list[str] = metadata("validation-gen").get_all("Project-URL") or []
    except PackageNotFoundError:  # a checkout that is not installed
        return ""
    named = dict(url.partition(", ")[::2] for url in urls)
    return named.get("Documentation", "")


def severity(code: str) -> str:
    """Describes the severity of a code."""
    usual, *others = [severity.value for severity in explain(code).severities]
    if code in lint_rules():
        return f"{usual}, with `--strict-lint` {others[0]}" if others else usual
    return f"{usual}, in some cases {others[0]}" if others else usual


def _find_changed_blocks(example: Sample, fix: Sample) -> tuple[tuple[Block, ...], tuple[Block, ...]]:
    """Returns the blocks of the example, and the blocks of the fix that differ from them, mostly the declarations."""
    with_files = bool(example.files or fix.files)
    with_command = {example.command, fix.command} != {COMMAND}
    shown = tuple(_blocks(example, with_files, with_command))
    return shown, tuple(block for block in _blocks(fix, with_files, with_command) if block not in shown)


def _blocks(sample: Sample, with_files: bool, with_command: bool) -> Iterator[Block]:
    if with_files:
        for file, text in sample.written.items():
            yield Listing(_LANGUAGES[file.rpartition(".")[2]], text.strip("\n"), file)
    else:
        yield Listing("go", sample.go.strip("\n"))
    if with_command:
        yield Listing("console", f"$ {sample.command}")
