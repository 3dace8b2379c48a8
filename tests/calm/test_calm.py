"""Committed output changes where the source has changed, and nowhere else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.calm.edits import COLUMNS, EDITS, Outputs, changed_lines, copied, outputs_of

#: The part of a module that is about one type.
_BLOCK = re.compile(r"^# --- (\w+)\n(.*?)(?=^# --- |\Z)", re.MULTILINE | re.DOTALL)
_PAGE = Path(__file__).parents[2] / "docs" / "validators.md"


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Outputs:
    return outputs_of(copied(tmp_path_factory.mktemp("before")))


@pytest.fixture(scope="module")
def after(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outputs]:
    found: dict[str, Outputs] = {}
    for name, edit in EDITS.items():
        directory = copied(tmp_path_factory.mktemp("after"))
        edit(directory)
        found[name] = outputs_of(directory)
    return found


def _python(name: str, before: Outputs, after: dict[str, Outputs]) -> list[str]:
    return changed_lines(before["python"], after[name]["python"])


@pytest.mark.parametrize("name", ["a blank line and a comment", "a type moved to another file"])
def test_where_lines_stand_does_not_matter(name: str, before: Outputs, after: dict[str, Outputs]) -> None:
    for emitter in COLUMNS:
        assert changed_lines(before[emitter], after[name][emitter]) == [], emitter


def test_a_rule_changes_only_the_block_of_its_type(before: Outputs, after: dict[str, Outputs]) -> None:
    changed = _python("a rule changed", before, after)
    assert len(changed) <= 16
    assert all("64" in line or "63" in line for line in changed)
    old, new = before["python"], after["a rule changed"]["python"]
    assert [path for path in old if old[path] != new[path]] == ["robots/v1.py"]
    blocks, others = (dict(_BLOCK.findall(each["robots/v1.py"])) for each in (old, new))
    assert [name for name in blocks if blocks[name] != others[name]] == ["RobotSpec"]
    assert _BLOCK.sub("", old["robots/v1.py"]) == _BLOCK.sub("", new["robots/v1.py"])


def test_a_field_changes_only_lines_about_it(before: Outputs, after: dict[str, Outputs]) -> None:
    changed = _python("a field with two tags", before, after)
    assert len([line for line in changed if line[0] == "-"]) <= 2


def test_the_order_of_tags_changes_little(before: Outputs, after: dict[str, Outputs]) -> None:
    assert len(_python("tags reordered", before, after)) <= 4


def test_nothing_tells_lines_or_counts(before: Outputs) -> None:
    for emitter in COLUMNS:
        for path, text in before[emitter].items():
            assert not re.search(r"\.(go|py):\d+", text), path
            assert not re.search(r"\b_(R|Shape|Known|Items|Values|Names|Members|Selector)\d+\b", text), path


def test_the_page_has_the_numbers(before: Outputs, after: dict[str, Outputs]) -> None:
    rows = [
        f"| {name} | " + " | ".join(str(len(changed_lines(before[e], outputs[e]))) for e in COLUMNS) + " |"
        for name, outputs in after.items()
    ]
    page = _PAGE.read_text(encoding="utf-8")
    missing = [row for row in rows if row not in page]
    assert not missing, "\n".join(missing)
