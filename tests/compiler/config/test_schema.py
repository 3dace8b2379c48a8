"""The JSON Schema for editors says what the reader says, and so does the page with all keys."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.compiler.config.reading import read
from tests.compiler.config.test_places import written
from validation_gen.cli.option_schema import section_names, sections
from validation_gen.compiler.config.keys import COMMON
from validation_gen.compiler.config.schema import as_markdown, as_schema

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DOCS = Path(__file__).parents[3] / "docs"
SCHEMA = as_schema(sections())
JUDGE = jsonschema.Draft7Validator(SCHEMA)


def test_the_file_is_up_to_date() -> None:
    assert json.loads((DOCS / "validation-gen.schema.json").read_text()) == SCHEMA, "run make docs"


def test_it_is_a_schema() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)


def test_the_page_has_every_key() -> None:
    page = as_markdown(sections())
    for name in section_names():
        for key in sections().load(name).keys:
            assert f"| `{key}` |" in page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]


def _agrees(directory: Path, text: str) -> None:
    _, problems = read(directory, text)
    assert JUDGE.is_valid(tomllib.loads(text)) == (not problems), (text, problems)


@pytest.mark.parametrize(
    "text",
    [
        'inputs = ["a"]\n[lint]\nVG411 = "off"\nformat-unset = "error"',
        '[[suppressions]]\ncodes = ["VG411"]\nfiles = ["a"]',
        "suppressions = [{}]",
        '[handwritten]\n"a.B" = "c:d"',
        '[handwritten]\n"a.B" = "c"',
        'format = "text"\nschema = "exact"',
        '[coverage]\nformat = "full"',
        "[compare]\ntimeout = 1\nfuzz = 0",
        "[compare]\ntimeout = 0",
        "[options]\nA = true\n[modules]\nb = 'c'",
        "[options]\n'A=B' = true",
    ],
)
def test_it_agrees_with_the_reader(tmp_path: Path, text: str) -> None:
    _agrees(tmp_path, text)


_PLAIN = st.one_of(
    st.booleans(), st.integers(-2, 2), st.sampled_from(["", "a", "full", "text", "exact", "1.36", "harness", "VG411"])
)
_ANY = st.one_of(
    _PLAIN,
    st.lists(_PLAIN, max_size=2),
    st.dictionaries(st.sampled_from(["a", "VG411", "format", "python", "codes"]), _PLAIN, max_size=2),
)
_KEYS = [*COMMON, "outputs", "lint", "suppressions", "nothing"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data())
def test_it_agrees_about_anything(tmp_path: Path, data: st.DataObject) -> None:
    document: dict[str, Any] = data.draw(st.dictionaries(st.sampled_from(_KEYS), _ANY, max_size=2))
    section = data.draw(st.sampled_from(section_names()))
    names = st.sampled_from([*sections().load(section).keys, "nothing"])
    table = data.draw(st.dictionaries(names, _ANY, max_size=2))
    if section not in document:
        document[section] = table
    _agrees(
        tmp_path,
        "".join(f"{written(name)} = {written(value)}\n".replace(" ,# ]\n", ", ") for name, value in document.items()),
    )
