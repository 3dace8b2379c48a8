from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from validation_gen.commands.compare.requests import Request
from validation_gen.commands.compare.sides import Refusal, RoutedSpec, SpecError, parse_spec

_CHECKS = """
def robots(obj):
    return [f"robot {obj}"]


def pools(obj):
    return [f"pool {obj}"]
"""


@pytest.fixture
def checks(tmp_path: Path) -> str:
    file = tmp_path / "checks.py"
    file.write_text(_CHECKS)
    return f"python:{file}"


def request(kind: str, package: str, obj: object) -> Request:
    return Request(kind, obj, package=package)


def test_each_kind_is_asked_of_its_own_side_and_answers_keep_their_order(checks: str) -> None:
    spec = RoutedSpec(
        ((("robots/v1", "Robot"), parse_spec(f"{checks}:robots")), (("", "Pool"), parse_spec(f"{checks}:pools")))
    )
    requests = [
        request("Pool", "example.com/robots/v1", 1),
        request("Robot", "example.com/robots/v1", 2),
        request("Robot", "example.com/robots/v2", 3),
        request("Pool", "example.com/robots/v2", 4),
        request("Robot", "example.com/robots/v1", 5),
    ]
    with pickle.loads(pickle.dumps(spec)).side() as side:
        answers = side.ask(requests)
    told = [answer.text if isinstance(answer, Refusal) else answer[0].detail for answer in answers]
    assert told == ["pool 1", "robot 2", "no handwritten validator is named for this kind", "pool 4", "robot 5"]


def test_a_side_that_cannot_be_opened_closes_the_others(checks: str, tmp_path: Path) -> None:
    good, bad = parse_spec(f"{checks}:robots"), parse_spec(f"python:{tmp_path / 'none.py'}:check", check=False)
    spec = RoutedSpec(((("", "Robot"), good), (("", "Pool"), bad)))
    with pytest.raises(SpecError):
        spec.check()
    with pytest.raises(SpecError), spec.side():
        pass
