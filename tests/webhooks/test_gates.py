"""The file of gates: what it says, when it is read again, and what is wrong with it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.tables import each
from validation_gen.mismatch.gates import BETA
from validation_gen.runtime.errors import FieldError
from validation_gen.webhooks import GateError, Gates
from validation_gen.webhooks.gates import State

STANDARD = FieldError.invalid("spec.a", 1, "wrong")
BETA_RULE = FieldError.invalid("spec.b", 1, "wrong").beta()
ALPHA = FieldError.invalid("spec.c", 1, "wrong").alpha()
INTERNAL = FieldError.internal(None, "broken").alpha()
ALL = [STANDARD, BETA_RULE, ALPHA, INTERNAL]


class Clock:
    """Tells the time that it is set to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def _file(directory: Path, text: str) -> Path:
    file = directory / "gates.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_levels_as_servers_have_them() -> None:
    assert Gates().state.split_by_level(ALL) == ([STANDARD, BETA_RULE, INTERNAL], [])
    assert State().split_by_level(ALL) == ([STANDARD, BETA_RULE, INTERNAL], [])
    assert Gates().state.split_by_level([]) == ([], [])


@each(
    ("text", "denied", "warned"),
    [
        ("", [STANDARD, BETA_RULE, INTERNAL], []),
        ("levels: {alpha: warn}", [STANDARD, BETA_RULE, INTERNAL], [ALPHA]),
        ("levels: {alpha: deny, beta: warn}", [STANDARD, ALPHA, INTERNAL], [BETA_RULE]),
        ("levels: {standard: warn, beta: off}", [INTERNAL], [STANDARD]),
        ("featureGates: {DeclarativeValidationBeta: false}", [STANDARD, INTERNAL], []),
        ("featureGates: {AllBeta: false}\nlevels: {beta: warn}", [STANDARD, INTERNAL], [BETA_RULE]),
        ('{"levels": {"standard": "off"}, "options": {"Armed": true}}', [BETA_RULE, INTERNAL], []),
    ],
)
def test_what_a_file_says(tmp_path: Path, text: str, denied: list[FieldError], warned: list[FieldError]) -> None:
    state = Gates(_file(tmp_path, text), known={"Armed"}, options={"Armed": False}).state
    assert state.split_by_level(ALL) == (denied, warned)
    assert state.options == {"Armed": "Armed" in text}


@each(
    ("text", "where", "said", "help"),
    [
        ("levels: {alpha: warm}", "1:17", "alpha is none of deny, warn and off", "write levels"),
        ("levels: {betta: off}", "1:17", "there is no level betta", "did you mean beta?"),
        ("level: {}", "1:1", "there is no key level", "did you mean levels?"),
        ("levels: 7", "1:9", "levels is not a table", "write levels"),
        ("options: {Armed: maybe}", "1:18", "Armed is neither true nor false", "write true or false"),
        ("options:\n  Armde: true\n", "2:10", "there is no validation option Armde", "did you mean Armed?"),
        ("featureGates: {DeclarativeValidation: false}", "1:39", "feature is locked to true", ""),
        ("featureGates: {DeclarativeValidationBet: false}", "1:42", "unrecognized feature gate", "did you mean"),
        ("[]", "1:1", "gates are a table", "write levels"),
        ("levels: {}\n---\nlevels: {}\n", "3:1", "gates are one document", "delete"),
        ("levels: {", "", "", ""),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, text: str, where: str, said: str, help: str) -> None:
    with pytest.raises(GateError) as caught:
        Gates(_file(tmp_path, text), known={"Armed"})
    found = caught.value.diagnostics.sorted()
    assert len(found) == 1
    assert f"{found[0].span}".endswith(where)
    assert said in found[0].message
    assert help in found[0].help
    assert "gates.yaml" in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    for file in (tmp_path / "none", tmp_path):
        with pytest.raises(GateError, match="cannot read"):
            Gates(file)
    (tmp_path / "large").write_text(f"# {'x' * (1 << 20)}", encoding="utf-8")
    with pytest.raises(GateError, match="it holds more than 1 MiB"):
        Gates(tmp_path / "large")


def test_a_change_holds_within_a_second(tmp_path: Path) -> None:
    clock, told = Clock(), list[str]()
    gates = Gates(_file(tmp_path, "levels: {beta: warn}"), clock=clock, told=told.append)
    features = gates.features
    assert gates.state.split_by_level([BETA_RULE]) == ([], [BETA_RULE])
    _file(tmp_path, "featureGates: {DeclarativeValidationBeta: false}")
    clock.now = 0.9
    assert gates.state.split_by_level([BETA_RULE]) == ([], [BETA_RULE])
    assert told == []
    clock.now = 1.1
    assert gates.state.split_by_level([BETA_RULE]) == ([], [])
    assert not features.enabled(BETA)
    assert told == [f"the gates of {tmp_path / 'gates.yaml'} have changed"]
    clock.now = 2.2
    assert gates.state.split_by_level([BETA_RULE]) == ([], [])
    assert len(told) == 1  # it has not changed again
    _file(tmp_path, "levels: {}  # the gate has its default again")
    clock.now = 3.3
    assert gates.state.split_by_level([BETA_RULE]) == ([BETA_RULE], [])
    assert features.enabled(BETA)


def test_a_broken_file_changes_nothing(tmp_path: Path) -> None:
    clock, told = Clock(), list[str]()
    file = _file(tmp_path, "levels: {standard: warn}")
    gates = Gates(file, clock=clock, told=told.append)
    _file(tmp_path, "levels: {standard: warm}")
    clock.now = 1.1
    assert gates.state.split_by_level([STANDARD]) == ([], [STANDARD])
    assert "the new gates cannot be used, the old ones stay: " in told[0]
    assert "gates.yaml:1:20: standard is none of deny, warn and off" in told[0]
    file.unlink()
    clock.now = 2.2
    assert gates.state.split_by_level([STANDARD]) == ([], [STANDARD])
    assert "cannot read" in told[1]
    clock.now = 3.3
    assert gates.state.split_by_level([STANDARD]) == ([], [STANDARD])
    assert len(told) == 2  # each is told once
    _file(tmp_path, "levels: {standard: deny}")
    clock.now = 4.4
    assert gates.state.split_by_level([STANDARD]) == ([STANDARD], [])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no such pipes")
@pytest.mark.parametrize("make", ["mkdir", "mkfifo"])
def test_nobody_waits_for_what_is_no_file(tmp_path: Path, make: str) -> None:
    """Nobody writes to the pipe: who read it would wait, and all requests with it."""
    clock, told = Clock(), list[str]()
    file = _file(tmp_path, "levels: {standard: warn}")
    gates = Gates(file, clock=clock, told=told.append)
    file.unlink()
    getattr(os, make)(file)
    clock.now = 1.1
    assert gates.state.split_by_level([STANDARD]) == ([], [STANDARD])
    assert told == [f"the new gates cannot be used, the old ones stay: {file} is no ordinary file"]


def test_files_are_changed_by_links_as_clusters_do_it(tmp_path: Path) -> None:
    for name, text in (("1", "levels: {standard: warn}"), ("2", "levels: {standard: deny}")):
        (tmp_path / name).mkdir()
        _file(tmp_path / name, text)
    (tmp_path / "data").symlink_to("1")
    clock = Clock()
    gates = Gates(tmp_path / "data" / "gates.yaml", clock=clock, told=lambda text: None)
    assert gates.state.split_by_level([STANDARD]) == ([], [STANDARD])
    (tmp_path / "next").symlink_to("2")
    (tmp_path / "next").rename(tmp_path / "data")
    clock.now = 1.1
    assert gates.state.split_by_level([STANDARD]) == ([STANDARD], [])


def test_releases_without_levels_refuse_all() -> None:
    assert Gates(target="1.35").state.split_by_level([STANDARD, BETA_RULE]) == ([STANDARD, BETA_RULE], [])
