"""The state of a comparison survives in a file, and nothing else is taken for one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.commands.compare.parts import judge, shelf
from tests.commands.compare.sample_results import HOSTILE
from validation_gen.commands.compare.results import Results
from validation_gen.commands.compare.run import State
from validation_gen.commands.distributed.checkpoint import CheckpointError

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from(["fingerprint", "items", "results", "format"]), inner)
    ),
    max_leaves=6,
)


def found() -> Results:
    results = judge(lambda request: [])[0].judge([shelf(9, 9), shelf(7)])
    results.notes, results.bad, results.ungrouped = list(HOSTILE), 12, 3
    return results


def test_a_state_is_read_as_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "state.json"
    State("me", 17, found()).write(str(file))
    state = State.read(str(file), "me")
    assert state is not None
    expected = json.loads(json.dumps(found().as_json()))
    again = state.results.as_json()
    for data in (expected, again):
        for name in ("seconds", "handwrittenSeconds", "declarativeSeconds"):
            del data[name]
    assert (state.items, again) == (17, expected)
    assert list(file.parent.iterdir()) == [file]  # nothing temporary stays


def test_there_may_be_no_state_yet(tmp_path: Path) -> None:
    assert State.read(str(tmp_path / "state.json"), "me") is None


def test_the_state_of_others_is_refused(tmp_path: Path) -> None:
    file = str(tmp_path / "state.json")
    State("me", 17, found()).write(file)
    with pytest.raises(CheckpointError, match="of another comparison"):
        State.read(file, "you")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(json_values)
def test_other_json_is_refused(tmp_path: Path, data: Any) -> None:
    file = tmp_path / "state.json"
    file.write_text(json.dumps(data))
    with pytest.raises(CheckpointError):
        State.read(str(file), "me")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary())
def test_other_bytes_are_refused(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "state.json"
    file.write_bytes(data)
    with pytest.raises(CheckpointError):
        State.read(str(file), "me")


@pytest.mark.parametrize("cut", [1, 100, 500, -1])
def test_half_a_state_is_refused(tmp_path: Path, cut: int) -> None:
    file = tmp_path / "state.json"
    State("me", 17, found()).write(str(file))
    file.write_bytes(file.read_bytes()[:cut])
    with pytest.raises(CheckpointError):
        State.read(str(file), "me")
