"""Sides that are other programs."""

from __future__ import annotations

import json
import shlex
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.commands.compare.test_sides import shown
from tests.mismatch.test_adapters import JSON
from tests.tables import each
from validation_gen.commands.compare.requests import Request
from validation_gen.commands.compare.sides import Refusal, Side, SideOptions, SpecError, parse_spec
from validation_gen.commands.compare.sides.commands import Batch
from validation_gen.runtime.errors import FieldError, Mark

PYTHON = Path(sys.executable).name
HEAD = """
import json, os, sys, time
def answers():
    for line in sys.stdin:
        request = json.loads(line)
        yield request, request["obj"]
def say(id, *errors, **rest):
    print(json.dumps({"id": id, "errors": errors, **rest}), flush=True)
def wrong(**rest):
    return {"field": "size", "type": "FieldValueInvalid", **rest}
"""


def program(tmp_path: Path, text: str, timeout: float = 60) -> Side:
    path = tmp_path / "judge.py"
    path.write_text(HEAD + text)
    command = shlex.join([sys.executable, str(path)])
    return parse_spec(f"exec:{command}", SideOptions(timeout=timeout)).side()


def widgets(*sizes: Any) -> list[Request]:
    return [Request("Widget", {"size": size}) for size in sizes]


def test_a_program_that_answers(tmp_path: Path) -> None:
    text = """
for request, obj in answers():
    if request["op"] == "update":
        seen = json.dumps([request["oldObj"], request["subresources"]])
        say(request["id"], wrong(type="FieldValueForbidden", detail=seen))
    elif obj["size"] < 0:
        say(request["id"], wrong(badValue=obj["size"], detail="too small", origin="minimum"))
    else:
        say(request["id"])
"""
    with program(tmp_path, text) as side:
        assert shown(side.ask(widgets(1, -1))) == [[], ["size: Invalid value: -1: too small"]]
        update = Request("Widget", {"size": 1}, {"size": 2}, update=True, subresource="/status")
        assert shown(side.ask([update])) == [['size: Forbidden: [{"size": 2}, ["status"]]']]
        assert side.ask([]) == []
        [answer] = side.ask(widgets(-1))
        assert isinstance(answer, list)
        assert (answer[0].origin, set(answer[0].marks)) == ("minimum", {Mark.COVERED})


@each(
    ("error", "type", "origin", "level", "marks"),
    [
        ({}, "Invalid", "", "", {Mark.ANY_TYPE, Mark.ANY_ORIGIN, Mark.ANY_FIELD, Mark.COVERED}),
        ({"field": "a", "type": "TooMany"}, "TooMany", "", "", {Mark.ANY_ORIGIN, Mark.COVERED}),
        ({"field": "", "type": "Required value", "origin": ""}, "Required", "", "", {Mark.COVERED}),
        ({"field": "a", "type": "FieldValueForbidden", "origin": "x", "covered": False}, "Forbidden", "x", "", set()),
        ({"field": "a", "origin": "", "coveredByDeclarative": True, "level": "beta", "message": "a: Forbidden: x"},
         "Forbidden", "", "beta", {Mark.COVERED}),
        ({"Type": "FieldValueInvalid", "Field": "a", "BadValue": 1, "Detail": "x", "Origin": "",
          "CoveredByDeclarative": False, "ValidationStabilityLevel": "alpha"}, "Invalid", "", "alpha", set()),
    ],
)  # fmt: skip
def test_what_answers_lack_is_marked(
    tmp_path: Path, error: dict[str, Any], type: str, origin: str, level: str, marks: set[str]
) -> None:
    with program(tmp_path, f"for request, obj in answers(): say(request['id'], {error!r})") as side:
        [answer] = side.ask(widgets(1))
    assert isinstance(answer, list)
    [found] = answer
    assert (found.type.value.removeprefix("FieldValue"), found.origin, found.level, set(found.marks)) == (
        type, origin, level, marks,
    )  # fmt: skip


def test_refusals_and_malformed_answers(tmp_path: Path) -> None:
    text = """
for request, obj in answers():
    print(json.dumps({"id": request["id"], **[
        {"error": "no such kind"}, {"errors": 5}, {"errors": [5]}, {"errors": [{"type": "Odd"}]},
        {"errors": [{"field": 5}]}, {"errors": []},
    ][obj["size"]]}), flush=True)
"""
    with program(tmp_path, text) as side:
        assert shown(side.ask(widgets(*range(6)))) == [
            "no such kind",
            "answered with errors that are not a list",
            "answered with a malformed error: an error is a JSON object",
            "answered with a malformed error: there is no error type 'Odd'",
            "answered with a malformed error: field is a text, not 5",
            [],
        ]


def test_no_deadlock_whatever_the_sizes(tmp_path: Path) -> None:
    text = """
sys.stderr.write("x" * 1_000_000 + "\\n")
for request, obj in answers():
    say(request["id"], wrong(detail=obj["text"]))
"""
    requests = [Request("Widget", {"text": "y" * 100_000}) for _ in range(100)]
    with program(tmp_path, text) as side:
        assert all(isinstance(answer, list) and len(answer) == 1 for answer in side.ask(requests))
    greedy = """
lines = sys.stdin.read().splitlines() if False else [sys.stdin.readline() for _ in range(100)]
for line in lines:
    say(json.loads(line)["id"], wrong(detail="z" * 100_000))
"""
    with program(tmp_path, greedy) as side:
        assert all(isinstance(answer, list) for answer in side.ask(requests))


def test_answers_are_matched_by_id_and_order(tmp_path: Path) -> None:
    backwards = """
for line in [sys.stdin.readline() for _ in range(3)][::-1]:
    request = json.loads(line)
    say(request["id"], wrong(badValue=request["obj"]["size"]))
    say(request["id"])
for request, obj in answers(): say(request["id"])
"""
    wanted = [[f"size: Invalid value: {size}"] for size in (1, 2, 3)]
    with program(tmp_path, backwards) as side:
        assert shown(side.ask(widgets(1, 2, 3))) == wanted
        assert shown(side.ask(widgets(4))) == [[]]
    nameless = "for request, obj in answers(): print(json.dumps({'errors': [wrong(badValue=obj['size'])]}), flush=True)"
    with program(tmp_path, nameless) as side:
        assert shown(side.ask(widgets(1, 2, 3))) == wanted


def test_lines_that_are_no_answers(tmp_path: Path) -> None:
    text = """
print("ready", flush=True)
for request, obj in answers():
    if obj["size"] == 2:
        print("é" * 500, flush=True)
    elif obj["size"] == 3:
        print('{"id": 77, "errors": []}', flush=True)
    elif obj["size"] == 4:
        print("[]\\n\\n{}", flush=True)
    else:
        say(request["id"])
"""
    with program(tmp_path, text) as side:
        answers = shown(side.ask(widgets(1, 2, 1, 3, 1)))
        assert answers[0::2] == [[], [], []]
        assert answers[1] == f"answered with {'é' * 119 + '…'!r}, which is no answer"
        assert answers[3] == 'answered with \'{"id": 77, "errors": []}\', which is for no request'
        assert shown(side.ask(widgets(4, 1))) == ["answered with '[]', which is no answer", []]


DYING = """
sys.stderr.write("starting\\n")
for request, obj in answers():
    if obj["size"] == 13:
        sys.stderr.write("line 1\\nassertion: 13\\n")
        os._exit(3)
    if obj["size"] == 14:
        os.kill(os.getpid(), 9)
    if obj["size"] == 15:
        sys.exit()
    say(request["id"])
"""


def test_a_program_that_dies_is_started_again(tmp_path: Path) -> None:
    with program(tmp_path, DYING) as side:
        assert shown(side.ask(widgets(1, 2, 13, 3, 14, 4, 15, 5))) == [
            [],
            [],
            f"{PYTHON} ended (exit code 3) before it answered; its last words: starting / line 1 / assertion: 13",
            [],
            f"{PYTHON} ended (signal SIGKILL) before it answered; its last words: starting",
            [],
            f"{PYTHON} ended (exit code 0) before it answered; does it flush its answers?; its last words: starting",
            [],
        ]
        refusals = shown(side.ask(widgets(13, 13, 1, 2)))
        assert "exit code 3" in refusals[0]
        assert "exit code 3" in refusals[1]
        assert refusals[2] == refusals[3]
        assert refusals[2].endswith("did not run, as it ended 2 times in a row without an answer")
        assert shown(side.ask(widgets(1))) == [[]]


def test_a_program_that_never_answers(tmp_path: Path) -> None:
    began = time.monotonic()
    with program(tmp_path, "time.sleep(600)", timeout=0.3) as side:
        refusals = shown(side.ask([Request("Widget", {"text": "x" * 1_000_000})] * 3))
    assert time.monotonic() - began < 60
    assert refusals[0].endswith("has not answered within 0.3 seconds")
    assert "did not run" in refusals[2]


def test_what_a_program_has_started_ends_with_it(tmp_path: Path) -> None:
    text = """
import subprocess
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
for request, obj in answers():
    say(request["id"], wrong(detail=str(child.pid)))
"""
    with program(tmp_path, text) as side:
        [answer] = side.ask(widgets(1))
        assert isinstance(answer, list)
        child = Path(f"/proc/{answer[0].detail}/stat")
        assert child.exists()
    deadline = time.monotonic() + 60
    while child.exists() and child.read_text().split()[2] != "Z" and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not child.exists() or child.read_text().split()[2] == "Z"


def test_a_program_that_cannot_be_started(tmp_path: Path) -> None:
    path = tmp_path / "judge"
    path.write_text("#!/no/such/interpreter\n")
    path.chmod(0o755)
    side = parse_spec(f"exec:{path}").side()
    with pytest.raises(SpecError, match="judge cannot be started: "):
        side.open()
    path.unlink()
    with pytest.raises(SpecError, match="there is no program"):
        side.open()
    [answer] = side.ask(widgets(1))
    assert isinstance(answer, Refusal)


def test_our_own_protocol_is_understood(tmp_path: Path) -> None:
    (tmp_path / "types.go").write_text(
        'package v1\ntype Widget struct {\n\t// +k8s:minimum=3\n\tSize int32 `json:"size"`\n}\n'
    )
    command = shlex.join([sys.executable, "-m", "validation_gen", "webhook", "stdio", str(tmp_path)])
    with parse_spec(f"exec:{command}").side() as side:
        answers = side.ask([*widgets(2, 3), Request("Gadget", {})])
    assert shown(answers) == [
        ["size: Invalid value: 2: must be greater than or equal to 3"], [], "no kind Gadget in package (none named)",
    ]  # fmt: skip


@given(lines=st.lists(st.binary() | st.builds(lambda e: e.encode(), st.text()), max_size=5))
def test_every_line_is_taken(lines: list[bytes]) -> None:
    batch = Batch(1)
    batch.add(1, Request("Widget", {}))
    for line in lines:
        batch.take(line)
    batch.accept_doubts()
    batch.refuse_all("no answer")
    [answer] = batch.in_order()
    assert isinstance(answer, Refusal)


@given(answer=st.dictionaries(st.sampled_from(["errors", "error", "other"]), JSON, max_size=3))
def test_every_answer_is_taken(answer: dict[str, Any]) -> None:
    batch = Batch(1)
    batch.add(1, Request("Widget", {}))
    batch.take(json.dumps({"id": 1, **answer}).encode())
    batch.accept_doubts()
    [found] = batch.in_order()
    assert isinstance(found, Refusal) or all(isinstance(error, FieldError) for error in found)


def test_what_json_cannot_say_is_refused() -> None:
    batch = Batch(1)
    batch.add(1, Request("Widget", {"a": float("nan")}))
    batch.add(2, Request("Widget", {"a": object()}))
    assert all(text.startswith("the request cannot be written as JSON: ") for text in shown(batch.in_order()))
