"""`validation-gen webhook stdio`: the line protocol over real pipes."""

from __future__ import annotations

import json
import signal
import subprocess
from typing import Any

import pytest

from tests.cli.conftest import Program


def request(**fields: object) -> str:
    wanted = {"package": "things/v1", "kind": "ThingSpec", "options": {"Glitter": True}, "obj": {"name": "a"}}
    return json.dumps({"id": 1, **wanted, **fields})


def strict(text: str) -> Any:
    """JSON without Python's additions."""
    return json.loads(text, parse_constant=pytest.fail)


def answers(project: Program, *lines: str | bytes) -> list[Any]:
    """The answers to lines; the program must end well after the last."""
    data = b"\n".join(line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line for line in lines)
    done = project("webhook", "stdio", "apis", stdin=data)
    assert (done.code, done.err) == (0, "")
    assert done.out.isascii()
    assert done.out == "" or done.out.endswith("\n")
    return [strict(line) for line in done.out.splitlines()]


def test_one_answer_a_line_and_no_files(project: Program) -> None:
    before = project.files()
    good, bad, update = answers(
        project,
        request(id="good"),
        request(id="bad", obj={"name": "too long"}),
        request(id="update", op="update", obj={"name": "long ago"}, oldObj={"name": "long ago"}),
    )
    assert good == {"id": "good", "errors": []}
    assert bad["id"] == "bad"
    (error,) = bad["errors"]
    assert {
        name: error[name] for name in ("type", "field", "badValue", "detail", "origin", "level", "shortCircuit")
    } == {
        "type": "FieldValueTooLong",
        "field": "name",
        "badValue": "<value omitted>",
        "detail": "may not be more than 5 characters",
        "origin": "maxLength",
        "level": "",
        "shortCircuit": False,
    }
    assert update == {"id": "update", "errors": []}
    assert project.files() == before


@pytest.mark.process
def test_an_answer_comes_before_the_next_question(project: Program) -> None:
    with project.start("webhook", "stdio", "apis") as process:
        assert process.stdin
        assert process.stdout
        for id in range(3):
            process.stdin.write(f"{request(id=id)}\n".encode())
            process.stdin.flush()
            assert strict(process.stdout.readline().decode()) == {"id": id, "errors": []}
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
    assert (process.returncode, out, err) == (130, b"", b"")


def test_malformed_lines_do_not_end_the_stream(project: Program) -> None:
    lines: list[str | bytes] = [
        "not JSON",
        b'{"id": 2, "x": "\xff"}',
        b"\x00\x01\x02",
        "[" * 100_000,
        '{"id": ' + "[" * 100_000,
        '{"id": ' + "9" * 5000 + "}",
        '{"id": 7, "kind": "ThingSpec", "obj": {"name": NaN}}',
        '{"id": 8, "kind": "ThingSpec", "obj": {"name": [-Infinity]}}',
        '{"id": 10} {"id": 11}',
        "[1]",
        '"text"',
        "null",
        request(id=14, obj={"name": ["["]}).replace('"["', "[" * 20_000 + "]" * 20_000),
    ]
    found = answers(project, *(line for wrong in lines for line in (wrong, request(id="next"))))
    assert found[1::2] == [{"id": "next", "errors": []}] * len(lines)
    for answer in found[::2]:
        assert set(answer) == {"id", "error"}
        assert answer["error"]
    assert "UTF-8" in found[2]["error"]


def test_numbers_beyond_all_are_wrong_values(project: Program) -> None:
    wrong, unknown = (request(id=9, obj={name: "N"}).replace('"N"', "1e999") for name in ("name", "nobody"))
    found = answers(project, wrong, unknown)
    assert [(error["field"], error["type"]) for error in found[0]["errors"]] == [("name", "FieldValueTypeInvalid")]
    assert [answer["id"] for answer in found] == [9, 9]
    assert found[1]["errors"] == answers(project, request(id=9, obj={"nobody": 1}))[0]["errors"]


def test_line_ends(project: Program) -> None:
    wanted = {"id": 1, "errors": []}
    assert answers(project) == []
    assert answers(project, "", "  ", "\t\r", request(), "", request()) == [wanted, wanted]
    assert answers(project, request() + "\r", request().replace(" ", "\r"), request() + "\n") == [wanted] * 3
    assert answers(project, b"\xef\xbb\xbf" + request().encode(), request()) == [wanted] * 2
    separators = request(obj={"name": "\u2028\u2029\x85"}).encode().decode("unicode_escape")
    assert answers(project, separators.encode()) == [wanted]


def test_large_lines(project: Program) -> None:
    labels = {f"key-{i}": "x" * 50 for i in range(50_000)}
    (answer,) = answers(project, request(obj={"name": "a", "labels": labels, "anything": ["y" * 3_000_000]}))
    assert answer == {"id": 1, "errors": []}


def test_text_that_is_no_text(project: Program) -> None:
    """Halves of surrogate pairs are legal in JSON."""
    line = '{"id": "\\ud800", "package": "v1", "kind": "ThingSpec", "options": {"Glitter": true}, "obj": %s}'
    found = answers(
        project,
        line % '{"name": "a", "labels": {"\\udc00": 1}}',
        line % '{"name": ["\\ud83d"]}',
        line.replace("\\ud800", "\\ud83d\\ude00") % '{"name": "a"}',
        b'{"id": "\xed\xa0\x80"}',
    )
    assert [answer["id"] for answer in found] == ["\ud800", "\ud800", "😀", None]
    assert found[0]["errors"][0]["badValue"] == 1
    assert found[1]["errors"][0]["badValue"] == ["\ufffd"]


def test_the_locale_is_of_no_account(project: Program) -> None:
    line = request(id="größe", obj={"name": "日本日本日本"}).encode().decode("unicode_escape").encode()
    plain = project("webhook", "stdio", "apis", stdin=line)
    for environ in (
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "ascii:strict"},
    ):
        assert project("webhook", "stdio", "apis", stdin=line, **environ) == plain
    assert strict(plain.out)["id"] == "größe"


def test_standard_input_that_is_closed(project: Program) -> None:
    command = " ".join(f"'{part}'" for part in project.command("webhook", "stdio", "apis"))
    for redirection in ("</dev/null", "<&-", "<&- >&-"):
        done = subprocess.run(
            ["sh", "-c", f"{command} {redirection}"],
            cwd=project.directory,
            env=project.environ(),
            capture_output=True,
            check=False,
            timeout=60,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.process
def test_a_reader_that_goes_away(project: Program) -> None:
    with project.start("webhook", "stdio", "apis") as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(f"{request()}\n".encode())
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(f"{request()}\n{request()}\n".encode())
        process.stdin.close()
        assert process.stderr.read() == b""
    assert process.returncode == 2


def test_packages_with_errors_are_named(project: Program) -> None:
    project.write({"apis/broken/v1/t.go": "package v1\n\ntype T struct {\n"})
    done = project(
        "stdio", "apis", stdin="\n".join([request(), request(package="broken/v1", kind="T"), request(package="v9")])
    )
    assert done.code == 1
    assert "VG101" in done.err
    right, broken, unknown = map(strict, done.out.splitlines())
    assert right == {"id": 1, "errors": []}
    assert broken["error"] == "package example.com/m/apis/broken/v1 has errors, so it has no validators"
    assert unknown["error"] == "no kind ThingSpec in package v9"


@pytest.mark.process
def test_nobody_waits_for_types_that_are_not_there(project: Program) -> None:
    with project.start("webhook", "stdio", "missing") as process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.read() == b""  # it ends although its input does not
        assert b"VG902" in process.stderr.read()
        assert process.wait(120) == 2
