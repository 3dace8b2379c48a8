"""Every block of README.md and docs/ is run, or says why not."""

from __future__ import annotations

import re
from pathlib import Path, PurePath
from typing import Any

import pytest

from tests.docs.blocks import DOCUMENTS, ROOT, Block, blocks, read_blocks
from tests.docs.pipelines import is_pipeline
from tests.docs.workspace import Workspace
from tests.tables import each

each_document = each("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())

_RUN = {"console", "pycon", "python", "sh"}
_FENCE = re.compile(r"[ >*+\d.-]*(?:`{3,}|~{3,})")
#: Documents whose commands take seconds, and the tests that run the like of them each time.
_SLOW = {
    "docs/clusters.md": "tests/commands/distributed/test_same_results.py",
    "docs/compare.md": "tests/commands/compare/harness/test_emit.py",
    "docs/conversions.md": "tests/commands/conversions",
    "docs/howto-ci.md": "tests/cli/test_check.py",
    "docs/howto-other-engines.md": "tests/commands/distributed/test_adapters.py",
    "docs/howto-webhook-kopf.md": "tests/test_kopf.py",
    "docs/migration.md": "tests/commands/compare/test_migration.py",
}


def _document(path: Path) -> Any:
    name = path.relative_to(ROOT).as_posix()
    return pytest.param(path, id=name, marks=[pytest.mark.slow] * (name in _SLOW))


def test_documents_that_are_slow_have_a_neighbour() -> None:
    assert all((ROOT / name).is_file() and (ROOT / test).exists() for name, test in _SLOW.items())


@pytest.mark.parametrize("document", [*map(_document, DOCUMENTS)])
def test_what_is_shown_happens(document: Path, tmp_path: Path) -> None:
    found = blocks(document)
    workspace = Workspace.at(tmp_path, found)
    for block in found:
        try:
            workspace.do(block)
        except AssertionError as error:
            raise AssertionError(f"{document.relative_to(ROOT)}:{block.line}: {error}") from None


@each_document
def test_every_block_is_run_or_says_why_not(document: Path) -> None:
    assert not untried(blocks(document))


@each_document
def test_no_block_hides(document: Path) -> None:
    assert not hidden_fences(document.read_text(encoding="utf-8"))


def untried(all_blocks: list[Block]) -> list[str]:
    """What is wrong with blocks of which nobody knows whether they are true."""
    found = []
    for index, block in enumerate(all_blocks):
        reason = _why_untried(block, all_blocks[index + 1 :])
        if reason:
            found.append(f"line {block.line}: {reason}")
    return found


def _why_untried(block: Block, later: list[Block]) -> str:
    if "not-run" in block.marks:
        return "" if len(block.marks["not-run"].split()) > 2 else "the reason is missing"
    if "file" in block.marks:
        path = block.marks["file"]
        named = re.compile(rf"(?<![\w-]){re.escape(PurePath(path).parts[0].removesuffix('.py'))}(?![\w-])")
        if "tried-by" in block.marks:
            test = ROOT / block.marks["tried-by"]
            known = test.is_file() and f'"{path}"' in test.read_text(encoding="utf-8")
            return "" if known else f"{block.marks['tried-by']} does not read {path}"
        used = is_pipeline(path) or any(b.runs and named.search(b.text + b.marks.get("run", "")) for b in later)
        return "" if used or _read_unasked(path, later) else f"nothing reads {path}"
    if {"session", "steps"} & block.marks.keys() or block.language in _RUN:
        return ""
    return f"`{block.language}` is neither run nor written to a file (see tests/docs)"


def _read_unasked(path: str, later: list[Block]) -> bool:
    """Whether it is a file for which later commands look by themselves."""
    names = ("pyproject.toml", "validation-gen.toml", ".validation-gen.toml", "go.mod", "go.work")
    return PurePath(path).name in names and any(b.runs and "validation-gen" in b.text for b in later)


def hidden_fences(document: str) -> list[int]:
    """Lines that begin a block in a form that `blocks` skips."""
    inside = False
    found = []
    for number, line in enumerate(document.splitlines(), 1):
        if line.startswith("```") and not line.startswith("````"):
            inside = not inside
        elif not inside and (_FENCE.match(line) or re.match(r" {4,}\S|\t", line)) and not _goes_on(document, number):
            found.append(number)
    return found


def _goes_on(document: str, number: int) -> bool:
    """Whether a line belongs to the paragraph above it and so is text, however far it is indented."""
    above = document.splitlines()[number - 2] if number > 1 else ""
    line = document.splitlines()[number - 1]
    return bool(above.strip()) and not re.search(r"`{3,}|~{3,}", line)


@each(
    ("document", "reason"),
    [
        ("```yaml\na: 1\n```\n", "line 2: `yaml` is neither run nor written to a file (see tests/docs)"),
        ("```\nvalidation-gen apis\n```\n", "line 2: `` is neither run nor written to a file (see tests/docs)"),
        ("<!-- file: a.yaml -->\n```yaml\na: 1\n```\n", "line 3: nothing reads a.yaml"),
        ("```sh\ncat a.yaml\n```\n<!-- file: a.yaml -->\n```yaml\na: 1\n```\n", "line 6: nothing reads a.yaml"),
        (
            "<!-- file: a.py -->\n<!-- tried-by: tests/test_kopf.py -->\n```python\nx = 1\n```\n",
            "line 4: tests/test_kopf.py does not read a.py",
        ),
        ("<!-- not-run: why -->\n```text\na\n```\n", "line 3: the reason is missing"),
        ("<!-- not-run -->\n```sh\na\n```\n", "line 3: the reason is missing"),
    ],
)
def test_blocks_that_nobody_tries_are_found(document: str, reason: str) -> None:
    assert untried(read_blocks(document)) == [reason]


@pytest.mark.parametrize(
    "document",
    [
        "<!-- file: a.yaml -->\n```yaml\na: 1\n```\n\n```sh\ncat a.yaml\n```\n",
        "<!-- file: a/b.py -->\n```python\nx = 1\n```\n\n```pycon\n>>> import a.b\n```\n",
        "<!-- not-run: a picture of the parts -->\n```text\na -> b\n```\n",
        "<!-- file: .gitlab-ci.yml -->\n```yaml\na: {script: [ls]}\n```\n",
    ],
)
def test_blocks_that_are_tried(document: str) -> None:
    assert not untried(read_blocks(document))


@each("line", [" ```sh", "- ```sh", "> ```sh", "~~~", "````", "    indented", "1. ```console"])
def test_blocks_in_other_forms_are_found(line: str) -> None:
    assert hidden_fences(f"text\n\n{line}\n") == [3]


@each(
    ("text", "said"),
    [
        ("```console\n$ echo b\na\n```\n", "wanted:\na"),
        ("```console\n$ exit 3\n```\n", "exit 3"),
        ("```sh\nfalse\n```\n", "false"),
        ("```pycon\n>>> 1 + 1\n3\n```\n", "Got:\n    2"),
        ("```python\nimport nothing_of_that_name\n```\n", "ModuleNotFoundError"),
        ("```sh\npip install '.[nope]'\n```\n", "no such extra"),
        ("```sh\npip install validation-gen==0.1.0\n```\n", "no index has it"),
        ("```sh\npip install 'validation-gen @ git+https://example.com/x@v99'\n```\n", "this is @v"),
        ("```sh\npip install something-else\n```\n", "tests do not know"),
        ("<!-- file: .github/workflows/a.yml -->\n```yaml\non: [push]\njobs: {}\n```\n", "it runs nothing"),
        (
            "<!-- file: .github/workflows/a.yml -->\n```\non: a\njobs: {a: {runs-on: b, steps: [run: exit 7]}}\n```\n",
            "exit 7",
        ),
        ("<!-- file: .gitlab-ci.yml -->\n```yaml\na:\n  script: ['false']\n```\n", "false"),
        ("<!-- steps -->\n```yaml\nsteps:\n- uses: actions/checkout@v4\n- run: exit 8\n```\n", "exit 8"),
        ("<!-- steps -->\n```yaml\njob: {script: ['true', exit 9]}\n```\n", "exit 9"),
        ("<!-- steps -->\n```yaml\n- uses: some/thing@v9\n```\n", "some/thing"),
        ("<!-- file: Makefile -->\n```make\nall:\n\tfalse\n```\n", "make"),
    ],
)
def test_wrong_blocks_fail(text: str, said: str, tmp_path: Path) -> None:
    (block,) = read_blocks(text)
    workspace = Workspace.at(tmp_path, [block])
    with pytest.raises(AssertionError, match=re.escape(said)):
        workspace.do(block)
