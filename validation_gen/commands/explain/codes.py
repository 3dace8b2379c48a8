"""Articles about diagnostic codes."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, metadata

from validation_gen.commands.explain.article import Article, Block, Listing, Prose, Section
from validation_gen.commands.explain.explanations import COMMAND, Sample, explain
from validation_gen.commands.explain.markdown import article_lines
from validation_gen.commands.explain.text import article_text
from validation_gen.compiler.lint.registry import lint_rules
from validation_gen.diagnostics import CODES
from validation_gen.diagnostics.formats.sariflog import About
from validation_gen.diagnostics.formats.text import styler

_WIDTH = 100

_LANGUAGES = {"go": "go", "jsonl": "json", "py": "python", "toml": "toml", "yaml": "yaml"}


def about_code(code: str) -> Article:
    """Returns the article about a code that is in `CODES`."""
    explanation = explain(code)
    example, fix = _told_apart(explanation.example, explanation.fix)
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


def _told_apart(example: Sample, fix: Sample) -> tuple[tuple[Block, ...], tuple[Block, ...]]:
    """Returns the example, and the blocks of the fix that differ. For most samples these are the declarations."""
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
