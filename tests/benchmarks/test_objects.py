"""The objects that are measured are what the tables say of them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.draws import Draw, variants
from benchmarks.objects import GONE, SUBJECTS, Subject, copy_of, edited, leaves
from benchmarks.rules import Struct, Text, places, read, structs
from tests.benchmarks.conftest import APIS
from validation_gen.runtime.registry import Registry

each_subject = pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.key)


@pytest.fixture(scope="session")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the rules for the rivals are read from."""
    directory = tmp_path_factory.mktemp("rules")
    command = [sys.executable, "-m", "validation_gen", "openapi", str(APIS), "--output-dir", str(directory), "--quiet"]
    subprocess.run(command, check=True)
    return directory


def kind(subject: Subject, documents: Path) -> Struct:
    return read(documents, subject.api_version, subject.kind)


def test_sizes(documents: Path) -> None:
    sizes = {subject.key: len(list(leaves(subject.build()))) for subject in SUBJECTS}
    assert sizes == {"small": 22, "deployment": 161}
    types = {subject.key: structs(kind(subject, documents)) for subject in SUBJECTS}
    assert {key: len(found) for key, found in types.items()} == {"small": 7, "deployment": 118}
    assert sum(len(each.members) for each in types["deployment"]) == 579


@each_subject
def test_numbers_of_errors(subject: Subject, registry: Registry) -> None:
    valid = subject.build()
    assert not registry.validate(valid, raw=True)
    assert len(registry.validate(edited(valid, subject.one), raw=True)) == 1
    assert len(registry.validate(edited(valid, *subject.ten), raw=True)) == 10
    assert len(registry.validate(edited(valid, *subject.ten_typed), raw=True)) == 10
    wrong_types = [
        [error.type.value for error in registry.validate(edited(valid, *edits))].count("FieldValueTypeInvalid")
        for edits in (subject.ten, subject.ten_typed)
    ]
    assert wrong_types == [2, 0]


@each_subject
def test_the_update_is_valid_and_changes_one_value(subject: Subject, registry: Registry) -> None:
    valid = subject.build()
    changed = edited(valid, subject.change)
    assert not registry.validate(changed, valid, raw=True)
    assert sum(_at(valid, path) != _at(changed, path) for path in leaves(valid)) == 1


def _at(value: object, path: tuple[str | int, ...]) -> object:
    for step in path:
        value = value[step]  # type: ignore[index]
    return value


@each_subject
def test_built_objects_share_nothing(subject: Subject) -> None:
    one, other = subject.build(), subject.build()
    assert one == other
    text = json.dumps(other)
    edited(one, subject.one)
    _spoil(one)
    assert json.dumps(other) == text


def _spoil(value: object) -> None:
    """Empties everything."""
    for inner in list(value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()):
        _spoil(inner)
    if isinstance(value, dict | list):
        value.clear()


@each_subject
def test_variants_are_valid_and_have_no_text_in_common(subject: Subject, documents: Path, registry: Registry) -> None:
    rules = kind(subject, documents)
    seen: set[str] = set()
    for variant in variants(rules, subject.build(), 20):
        assert not registry.validate(variant, raw=True)
        free = {
            _at(variant, path)
            for path, rule in places(rules, variant)
            if isinstance(rule, Text) and not rule.values and path[0] not in ("apiVersion", "kind")
        }
        assert free
        assert not free & seen
        seen |= {str(text) for text in free}


@each_subject
def test_draws_are_valid_and_damage_is_noticed(subject: Subject, documents: Path, registry: Registry) -> None:
    draw = Draw(kind(subject, documents), subject.api_version, subject.kind, seed=3)
    drawn = [draw.valid() for _ in range(200)]
    assert not [error for obj in drawn for error in registry.validate(obj, raw=True)]
    invalid = sum(bool(registry.validate(draw.damaged(copy_of(obj)), raw=True)) for obj in drawn)
    assert 60 < invalid < 180
    again = Draw(kind(subject, documents), subject.api_version, subject.kind, seed=3)
    assert [again.valid() for _ in range(200)] == drawn


def test_edits() -> None:
    assert edited({"a": [{"b": 1}], "c": 2}, (("a", 0, "b"), 3), (("c",), GONE)) == {"a": [{"b": 3}]}
