"""Programs that are broken or hostile: whatever they write, close, ignore or leave behind, the comparison goes on."""

from __future__ import annotations

import json
import os
import resource
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.commands.compare.test_sides import shown
from tests.tables import each
from validation_gen.commands.compare import groups
from validation_gen.commands.compare.requests import Request
from validation_gen.commands.compare.sides import Refusal, Side, SideOptions, SpecError, parse_spec, process
from validation_gen.commands.compare.sides.commands import Batch
from validation_gen.commands.compare.sides.process import Program

HEAD = """
import json, os, signal, subprocess, sys, time
def questions():
    for line in sys.stdin:
        yield json.loads(line)
def say(id, *errors):
    sys.stdout.write(json.dumps({"id": id, "errors": errors}) + "\\n")
    sys.stdout.flush()
"""
FINE = "for each in questions(): say(each['id'])\n"

Start = Callable[..., Side]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Makes a side of the text of a program, without what Python imports by itself: most are started many times."""
    sides: list[Side] = []

    def make(text: str, timeout: float = 60, *, shell: bool = False) -> Side:
        path = tmp_path / f"peer{len(sides)}"
        path.write_text(text if shell else HEAD + text)
        words = ["/bin/sh", str(path)] if shell else [sys.executable, "-I", "-S", str(path)]
        sides.append(parse_spec(f"exec:{shlex.join(words)}", SideOptions(timeout=timeout)).side())
        return sides[-1]

    yield make
    for side in sides:
        side.close()


def widgets(*sizes: Any) -> list[Request]:
    return [Request("Widget", {"size": size}) for size in sizes]


def refusal(side: Side, *sizes: Any) -> str:
    """Why the first question has no answer."""
    answer = side.ask(widgets(*(sizes or (1,))))[0]
    assert isinstance(answer, Refusal), answer
    return answer.text


def is_there(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def gone(*pids: int, seconds: float = 60) -> bool:
    deadline = time.monotonic() + seconds
    while any(map(is_there, pids)):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


# --- floods -----------------------------------------------------------------------------------------------------------


def test_an_endless_line_is_read_up_to_the_limit(start: Start) -> None:
    with start("exec cat /dev/zero", shell=True) as side:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        assert "wrote a line of more than 8 MiB, and was ended" in refusal(side)
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 << 10  # KiB


def test_garbage_without_end_is_read_up_to_the_limit(start: Start) -> None:
    with start("exec yes garbage", shell=True) as side:
        said = refusal(side)
    assert "answered with 'garbage', which is no answer; then sh wrote 1002 lines in a row that answer nothing" in said


@pytest.mark.parametrize("line", ["", "[]", '{"id": 99, "errors": []}', '{"id": -1, "errors": []}', '{"id": 1}'])
def test_a_deadline_is_not_moved_by_lines_that_answer_nothing(start: Start, line: str) -> None:
    """The limit of lines is not reached, and there is a question that nothing is taken for."""
    with start(f"while echo '{line}'; do sleep 0.05; done", 0.6, shell=True) as side:
        begun = time.monotonic()
        answers = side.ask(widgets(*range(40)))
    assert all(isinstance(answer, Refusal) for answer in answers)
    assert time.monotonic() - begun < 60


def test_standard_error_without_end_is_kept_in_part(start: Start) -> None:
    with start("yes complaint 1>&2 & while read -r line; do sleep 0.3; exit 3; done", shell=True) as side:
        said = refusal(side)
    assert said.endswith(f"; its last words: {' / '.join(['complaint'] * 5)}")
    with start("head -c 30000000 /dev/zero | tr '\\0' x >&2; read -r line; exit 3", shell=True) as side:
        assert refusal(side).endswith(f"; its last words: {'x' * 400}")


@pytest.mark.process
def test_a_program_may_complain_at_length_and_answer(start: Start) -> None:
    with start("sys.stderr.write('x\\n' * 3_000_000)\n" + FINE) as side:
        assert side.ask(widgets(*range(20))) == [[]] * 20


# --- pipes ------------------------------------------------------------------------------------------------------------


def test_a_program_that_closes_its_standard_output_has_no_more_to_say(start: Start) -> None:
    with start("exec >&-; trap '' TERM; while :; do sleep 1; done", 60, shell=True) as side:
        begun = time.monotonic()
        assert "ended (signal SIGKILL) before it answered" in refusal(side)
    assert time.monotonic() - begun < 30


def test_a_program_that_closes_its_standard_input_may_answer_what_it_has_read(start: Start) -> None:
    with start('read -r line; exec <&-; echo \'{"id": 1, "errors": []}\'; exec sleep 60', 0.5, shell=True) as side:
        requests = [Request("Widget", {"text": "x" * 1_000_000}) for _ in range(2)]
        answers = shown(side.ask([*widgets(1), *requests]))
    assert answers[0] == []
    assert "has not answered within 0.5 seconds" in answers[1]


def test_a_program_that_never_reads_has_a_deadline_too(start: Start) -> None:
    with start("trap '' TERM; exec sleep 60", 0.4, shell=True) as side:
        requests = [Request("Widget", {"text": "x" * 1_000_000}) for _ in range(3)]
        answers = shown(side.ask(requests))
    assert "has not answered within 0.4 seconds" in answers[0]
    assert "did not run" in answers[2]


FORKS = """
child = subprocess.Popen(["sleep", "600"], start_new_session={apart})
for each in questions():
    say(each["id"], {{"field": "a", "type": "FieldValueInvalid", "detail": str(child.pid)}})
    if each["obj"]["size"] == {last}:
        os._exit(0)
"""


@pytest.mark.process
@pytest.mark.parametrize("apart", [False, True])
def test_pipes_that_others_keep_open_are_not_waited_for(start: Start, apart: bool) -> None:
    """What has left the group of the program lives on; nobody waits for it."""
    begun = time.monotonic()
    with start(FORKS.format(apart=apart, last=2), 60) as side:
        first, _, second = side.ask(widgets(2, 1, 1))
        assert isinstance(first, list)
        assert isinstance(second, list)  # of the program that was started again
        children = [int(first[0].detail), int(second[0].detail)]
    try:
        assert time.monotonic() - begun < 40
        if not apart:
            assert gone(*children)
    finally:
        for child in children:
            if is_there(child):
                os.kill(child, signal.SIGKILL)


@pytest.mark.process
def test_a_flood_from_what_has_left_the_group_has_an_end(start: Start, tmp_path: Path) -> None:
    """The program has ended, and its grandchild writes to its standard output for ever."""
    text = """
pid = os.fork()
if not pid:
    os.setsid()
    if os.fork():
        os._exit(0)
    with open({file!r}, "w") as file:
        file.write(str(os.getpid()))
    os.execvp("yes", ["yes", "garbage"])
os.waitpid(pid, 0)
"""
    file = tmp_path / "pid"
    with start(text.format(file=str(file))) as side:
        assert isinstance(side.ask(widgets(1))[0], Refusal)
    assert gone(int(file.read_text()))  # nobody reads what it writes


# --- answers ----------------------------------------------------------------------------------------------------------


@pytest.mark.process
def test_an_answer_after_the_deadline_is_not_taken_for_the_next_question(start: Start) -> None:
    late = """
for number, each in enumerate(questions()):
    time.sleep(0 if each["obj"]["size"] else 1.5)
    print(json.dumps({"errors": [{"field": f"f{each['obj']['size']}", "type": "FieldValueInvalid"}]}), flush=True)
"""
    with start(late, 1) as side:
        assert "has not answered within 1 seconds" in refusal(side, 0)
        side._timeout = 60  # type: ignore[attr-defined]
        time.sleep(1)
        [answer] = side.ask(widgets(7))
        assert isinstance(answer, list)
        assert answer[0].field == "f7"


@pytest.mark.process
def test_an_answer_without_an_id_after_a_doubt_is_not_taken_for_the_next_question(start: Start) -> None:
    text = """
for each in questions():
    if each["obj"]["size"] == 0:
        print("thinking", flush=True)
        time.sleep(1)
    print(json.dumps({"errors": [{"field": f"f{each['obj']['size']}", "type": "FieldValueInvalid"}]}), flush=True)
"""
    with start(text) as side:
        assert refusal(side, 0) == "answered with 'thinking', which is no answer"
        [answer] = side.ask(widgets(7))
        assert isinstance(answer, list)
        assert answer[0].field == "f7"


@pytest.mark.process
def test_lines_before_a_question_do_not_answer_it(start: Start) -> None:
    text = """
for each in questions():
    size = each["obj"]["size"]
    line = json.dumps({"errors": [{"field": f"f{size}", "type": "FieldValueInvalid"}]}) + "\\n"
    sys.stdout.write(line + ("", 2 * line, 2 * line + line.strip())[size])
    sys.stdout.flush()
"""
    with start(text) as side:
        for size in (1, 1, 2):
            [answer] = side.ask(widgets(size))
            assert isinstance(answer, list)
            assert answer[0].field == f"f{size}"
            time.sleep(0.1)  # what it has written beside the answer is there
        assert refusal(side, 0).startswith("answered with '…")


def answered(line: bytes | str) -> Any:
    batch = Batch(1)
    batch.add(1, Request("Widget", {"size": 1}))
    batch.take(line if isinstance(line, bytes) else line.encode("utf-8", "surrogatepass"))
    batch.accept_doubts()
    return shown(batch.in_order())[0]


def value(text: str) -> str:
    return f'{{"id": 1, "errors": [{{"field": "a", "type": "FieldValueInvalid", "badValue": {text}}}]}}'


@each(
    ("line", "said"),
    [
        (value("1" * 10_000_000), "which is no answer: it has a number of 10000000 digits"),
        (value("[" * 100_000 + "]" * 100_000), "which is no answer: it is nested deeper than 500 levels"),
        (value("[" * 501 + "]" * 501), "which is no answer: it is nested deeper than 500 levels"),
        (value('{"a":' * 600 + "1" + "}" * 600), "which is no answer: it is nested deeper than 500 levels"),
        ("[" * 100_000, "which is no answer"),
        (b'{"id": 1, "errors": [], "x": "\xff"}', "which is no answer"),
        (b'{"id": 1, "errors": [], "x": "\x00"}', "which is no answer"),
        ('{"id": 1, "errors": []}'.encode("utf-16"), "which is no answer"),
        ('{"id": 1, "errors": []}\x00', "which is no answer"),
        ('{"id": true, "errors": []}', "which is for no request"),
        ('{"id": 1.0, "errors": []}', "which is for no request"),
        ('{"id": "1", "errors": []}', "which is for no request"),
        ('{"id": 1' + "0" * 3000 + ', "errors": []}', "which is for no request"),
        ('{"id": 1, "errors": [' + "{}," * 50_000 + "{}]}", "answered with 50001 errors, of which only 50000 are read"),
        ('{"id": 1, "errors": [{"field": "' + "a" * 2_001 + '"}]}', "its field has 2001 characters"),
        ('{"id": 1, "errors": [{"Origin": "' + "a" * 2_001 + '"}]}', "its origin has 2001 characters"),
        ('{"id": 1, "error": ' + "[" * 450 + "]" * 450 + "}", "[" * 450),
        ('{"id": 1, "error": "' + "x" * 100_000 + '"}', "x" * 1000),
    ],
    ids=range(18),
)
def test_what_is_read_of_json_has_limits(line: bytes | str, said: str) -> None:
    found = answered(line)
    assert isinstance(found, str)
    assert said in found
    assert len(found) < 1500


@each(
    "line",
    [
        value("NaN"), value("1e999"), value("-Infinity"), value('"\\ud800"'), value("[" * 400 + "]" * 400),
        value("1" * 3000), '{"id": 9, "id": 1, "errors": [5], "errors": [{"field": "a"}]}',
        '{"id": 1, "errors": [{"field": "a"}]}\r', '\ufeff{"id": 1, "errors": [{"field": "a"}]}',
        json.dumps({"id": 1, "errors": [{"message": "a: Invalid value: " + "\n" * 100_000}]}),
        json.dumps({"id": 1, "errors": [{"message": "a: Invalid value: " + " [" * 100_000}]}),
        json.dumps({"id": 1, "errors": [{"field": "." * 2_000}, {"field": "[" * 2_000}, {"field": "/" * 2_000}]}),
    ],
    ids=range(12),
)  # fmt: skip
def test_odd_json_is_an_answer(line: str) -> None:
    assert isinstance(answered(line), list)


def test_what_is_answered_at_once_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("validation_gen.commands.compare.sides.commands.MOST_ERRORS_AT_ONCE", 5)
    batch = Batch(1)
    for id in (1, 2, 3):
        batch.add(id, Request("Widget", {}))
    for id in (1, 2, 3):
        assert batch.take(json.dumps({"id": id, "errors": [{"field": "a"}] * 3}).encode())
    found = batch.in_order()
    assert isinstance(found[0], list)
    assert isinstance(found[1], Refusal)
    assert "received 3 requests at once, and its answers are too large together" in found[1].text


# --- beginnings and ends ----------------------------------------------------------------------------------------------


def test_what_cannot_be_started_is_told_with_what_to_do(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("echo hello\n")
    for mode, said in ((0o644, "cannot be executed; make it executable"), (0o755, "let it begin with a line like #!")):
        script.chmod(mode)
        with pytest.raises(SpecError, match=said):
            parse_spec(f"exec:{script}").side().open()
    with pytest.raises(SpecError, match="is a directory; name a program"):
        parse_spec(f"exec:{tmp_path}")
    script.write_text("#!/no/such/interpreter\n")
    with pytest.raises(SpecError, match="the interpreter that its first line names is not there"):
        parse_spec(f"exec:{script}").side().open()


@pytest.mark.parametrize(("sign", "name"), [("SEGV", "SIGSEGV"), ("40", "40"), ("KILL", "SIGKILL")])
def test_programs_that_die_by_a_signal(start: Start, sign: str, name: str) -> None:
    with start(f"ulimit -c 0; read -r line; kill -{sign} $$", shell=True) as side:
        assert f"ended (signal {name}) before it answered" in refusal(side)


def test_a_program_that_always_dies_is_started_so_often_and_no_more(start: Start, tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    with start(f"echo x >> {marks}; exit 1", shell=True) as side:
        for _ in range(60):
            last = shown(side.ask(widgets(1, 2, 3)))
    assert "ended 20 times in a row without an answer, and is not started any more" in last[0]
    assert len(marks.read_text().split()) == process.MOST_FRUITLESS_IN_ALL


def test_a_program_that_dies_after_each_answer_is_not_started_for_ever(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("validation_gen.commands.compare.sides.commands.MOST_STARTS", 8)
    marks = tmp_path / "marks"
    text = f'echo x >> {marks}; read -r line; id=${{line#*:}}; echo "{{\\"id\\": ${{id%%,*}}, \\"errors\\": []}}"\n'
    with start(text, shell=True) as side:
        found = shown(side.ask(widgets(*range(40))))
    assert found.count([]) == 8
    assert "has been started 8 times, and is not started any more" in found[-1]
    assert len(marks.read_text().split()) == 8


@pytest.mark.process
def test_a_program_whose_asker_is_killed_ends_with_all_of_its_group(tmp_path: Path) -> None:
    """It reads nothing, and ignores what it can. The asker is a process of its own, which is killed."""
    file = tmp_path / "pids"
    peer = tmp_path / "peer"
    peer.write_text(f"trap '' TERM HUP INT PIPE\nsleep 600 & echo $$ $! > {file}.new; mv {file}.new {file}\nwait\n")
    asker = (
        "import sys, os, time\n"
        "from validation_gen.commands.compare.sides.process import Program\n"
        f"Program(['/bin/sh', {str(peer)!r}])\n"
        "time.sleep(600)\n"
    )
    process = Program([sys.executable, "-c", asker])
    deadline = time.monotonic() + 120
    try:
        while not file.exists():
            assert time.monotonic() < deadline
            time.sleep(0.02)
        pids = [int(each) for each in file.read_text().split()]
        assert all(map(is_there, pids))
        os.kill(process._process.pid, signal.SIGKILL)
        assert gone(*pids)
    finally:
        process.end(0.0)


def test_the_documentation_has_the_limits() -> None:
    page = (Path(__file__).parents[3] / "docs" / "compare.md").read_text(encoding="utf-8")
    section = page.partition("## Limits")[2].partition("\n## ")[0]
    numbers = [
        f"{process.PROGRAM_SECONDS:g} s", f"{process.WEBHOOK_SECONDS:g} s", f"{process.LONGEST_ANSWER >> 20} MiB",
        f"{process.MOST_ERRORS:,} ", f"{process.MOST_ERRORS_AT_ONCE:,} and {process.LONGEST_AT_ONCE >> 20} MiB",
        f"{process.DEEPEST}; {process.MOST_DIGITS:,}", f"{process.LONGEST_NAME:,} ", f"{process.MOST_UNRELATED:,} ",
        f"{process.KEPT_COMPLAINTS >> 10} KiB", f"{process.MOST_FRUITLESS} for",
        f"{process.MOST_FRUITLESS_IN_ALL} in all",
        f"{process.MOST_STARTS:,} ", f"{groups.MOST_SHOWN} and {groups.LONGEST_SHOWN:,}",
        f"from the {groups.MOST_WHOLE + 1}st sort on {groups.MOST_BRIEF} and {groups.LONGEST_BRIEF} ",
    ]  # fmt: skip
    assert [number for number in numbers if number not in section] == []


def test_a_program_that_answers_what_it_does_not_read(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("validation_gen.commands.compare.sides.commands.LONGEST_AT_ONCE", 1 << 20)
    side = start("exec yes '{\"errors\": []}'", shell=True)
    large = Request("Widget", {"text": "x" * 400_000})
    refused = [str(each) for _ in range(6) for each in shown(side.ask([large] * 2)) if each]
    assert any("does not read its requests" in reason for reason in refused)
