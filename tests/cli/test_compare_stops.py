"""`compare` that does not come to its end: interrupted, killed, resumed, with processes that die or hang."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.comparing import Comparison, box, results, timeless
from tests.cli.conftest import Done
from tests.commands.compare.test_hostile_webhooks import FAILURES, peer

MANY = 1200
each_number_of_jobs = pytest.mark.parametrize("jobs", [1, 2])
each_number_of_jobs_when_thorough = pytest.mark.parametrize("jobs", [pytest.param(1, marks=pytest.mark.thorough), 2])


def objects(comparison: Comparison, number: int = MANY) -> Path:
    """Objects of which some differ, some are invalid and some are malformed."""
    lines: list[Any] = [box(n, size=n % 13, name="abcdefg"[: n % 7]) for n in range(number)]
    for n in range(7, number, 100):
        lines[n] = '{"a": ['
    return comparison.objects(lines)


def _parameters(*usual: tuple[Any, ...], thorough: list[tuple[Any, ...]]) -> list[Any]:
    """Parameters of a test, some of which are for thorough runs alone."""
    return [
        *(pytest.param(*each) for each in usual),
        *(pytest.param(*each, marks=pytest.mark.thorough) for each in thorough),
    ]


class Running:
    """The command in a process group of its own, as a terminal has it: signals go to all of its processes."""

    def __init__(self, comparison: Comparison, function: str, *more: str | Path) -> None:
        program = comparison.program
        self.process = subprocess.Popen(
            program.command(*comparison.arguments(function, *more)),
            cwd=program.directory,
            env=program.environ(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def interrupt(self, sign: int = signal.SIGINT) -> None:
        os.killpg(self.process.pid, sign)

    def done(self, timeout: float = 120, *, begun: bool = True) -> Done:
        """How it ended. Python itself may have shown how far it had come, if the program has perhaps not `begun`."""
        out, err = self.process.communicate(timeout=timeout)
        done = Done(self.process.returncode, out.decode(), err.decode())
        assert ("Traceback" if begun else "/validation_gen/") not in done.err, done.err
        return done

    @property
    def children(self) -> list[int]:
        """The processes of the group that are there still."""
        found = []
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                text = stat.read_text()
            except OSError:
                continue
            state, _, _, session = text.rpartition(")")[2].split()[:4]
            if int(session) == self.process.pid and state != "Z":
                found.append(int(text.split()[0]))
        return found


def until(condition: Callable[[], Any], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "nothing happens"
        time.sleep(0.02)


@pytest.fixture
def started(comparison: Comparison) -> Iterator[Callable[..., Running]]:
    running: list[Running] = []

    def start(function: str, *more: str | Path) -> Running:
        running.append(Running(comparison, function, *more))
        return running[-1]

    yield start
    for each in running:
        if each.process.poll() is None:
            os.killpg(each.process.pid, signal.SIGKILL)
            each.process.communicate()


def state(comparison: Comparison, file: str = "state.json") -> dict[str, Any]:
    data: dict[str, Any] = json.loads((comparison.directory / file).read_text())
    return data


def marks(comparison: Comparison) -> int:
    """How many requests the function `marking` was asked."""
    file = comparison.directory / "marks"
    return file.stat().st_size if file.exists() else 0


#: Counts its requests. While there is a file `hold`, it is slow, and does not answer after so many.
HELD = 400
MARKING = f"""

def marking(obj, old, op):
    with open("marks", "a") as file:
        file.write("x")
    if not os.path.exists("hold"):
        return stricter(obj, old, op)
    while os.path.getsize("marks") > {HELD}:
        time.sleep(0.02)
    return slow(obj, old, op)
"""


def hold(comparison: Comparison) -> Path:
    """Lets `marking` stop; the removal of this file lets it go on."""
    file = comparison.directory / "hold"
    file.touch()
    return file


# --- interruptions ----------------------------------------------------------------------------------------------------


@pytest.mark.process
@pytest.mark.parametrize(
    ("jobs", "sign"),
    _parameters((1, signal.SIGTERM), (2, signal.SIGINT), thorough=[(1, signal.SIGINT), (2, signal.SIGTERM)]),
)
def test_an_interrupted_comparison_tells_what_it_has_found_and_can_be_resumed(
    comparison: Comparison, started: Callable[..., Running], jobs: int, sign: int
) -> None:
    file = objects(comparison)
    comparison.hand(MARKING)
    arguments = ("-f", file, "--jobs", str(jobs), "--format", "json", "--option", "Deep=false")
    whole = comparison("stricter", *arguments)
    assert whole.code == 1
    held = hold(comparison)
    running = started("marking", *arguments, "--resume", "state.json")
    until(lambda: marks(comparison) > HELD)
    running.interrupt(sign)
    done = running.done()
    held.unlink()
    assert done.code == 130
    assert done.err == ""
    until(lambda: running.children == [])
    part = results(done)
    assert part["interrupted"]
    assert 0 < part["totals"]["compared"] < MANY
    assert part["totals"]["mismatches"] > 0
    assert state(comparison)["items"] == part["totals"]["compared"] + part["totals"]["bad"]
    asked = marks(comparison)

    rest = comparison("marking", *arguments, "--resume", "state.json")
    assert rest.code == 1
    # What was done is not done again; making examples small asks some times more.
    assert marks(comparison) - asked < MANY
    again, expected = timeless(results(rest)), timeless(results(whole))
    assert again["about"].pop("handwritten") != expected["about"].pop("handwritten")
    assert again == expected
    assert not (comparison.directory / "state.json").exists()


@pytest.mark.process
@each_number_of_jobs_when_thorough
def test_a_killed_comparison_leaves_no_processes_and_goes_on_from_its_last_state(
    comparison: Comparison, started: Callable[..., Running], jobs: int
) -> None:
    file = objects(comparison)
    arguments = ("-f", file, "--jobs", str(jobs), "--format", "json", "--option", "Deep=false")
    comparison.hand(MARKING)
    held = hold(comparison)
    running = started("marking", *arguments, "--resume", "state.json")
    until(lambda: marks(comparison) > HELD)
    os.kill(running.process.pid, signal.SIGKILL)
    running.process.communicate()
    held.unlink()
    until(lambda: running.children == [])
    state(comparison)  # a whole one
    rest, whole = (comparison("marking", *arguments, *more) for more in (("--resume", "state.json"), ()))
    assert timeless(results(rest)) == timeless(results(whole))


@pytest.mark.process
def test_the_state_of_another_comparison_is_refused(comparison: Comparison, started: Callable[..., Running]) -> None:
    file = objects(comparison)
    comparison.hand(MARKING)
    hold(comparison)
    running = started("marking", "-f", file, "--resume", "state.json")
    until(lambda: marks(comparison) > HELD)
    running.interrupt()
    assert running.done().code == 130
    before = (comparison.directory / "state.json").read_bytes()
    other = comparison.objects([box(1)], "other.jsonl")
    for arguments in (
        ("-f", other),
        ("-f", file, "--option", "Deep=true"),
        ("-f", file, "--lifecycle"),
        ("-f", file, "--normalize", "a=b"),
        ("-f", file, "--fuzz", "10"),
        ("-f", file, "--fuzz", "10", "--kind", "Box"),
    ):
        done = comparison("marking", *arguments, "--resume", "state.json")
        assert (done.code, done.out) == (2, ""), arguments
        assert "state of another comparison" in done.err
    assert comparison("agrees", "-f", file, "--resume", "state.json").code == 2
    types = comparison.directory / "apis" / "v1" / "types.go"
    types.write_text(types.read_text().replace("maximum=10", "maximum=9"))
    assert comparison("marking", "-f", file, "--resume", "state.json").code == 2
    assert (comparison.directory / "state.json").read_bytes() == before


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", "x", '{"fingerprint": 1}', '{"fingerprint":"","items":[]}'])
def test_a_file_that_is_no_state_is_left_alone(comparison: Comparison, text: str) -> None:
    (comparison.directory / "state.json").write_text(text)
    done = comparison("agrees", "-f", comparison.objects([box(1)]), "--resume", "state.json")
    assert (done.code, done.out) == (2, "")
    assert "VG904" in done.err
    assert (comparison.directory / "state.json").read_text() == text


@pytest.mark.thorough  # what was done of files is gone on from in the same way
def test_a_comparison_that_was_interrupted_among_drawn_requests_goes_on_among_them(
    comparison: Comparison, started: Callable[..., Running]
) -> None:
    comparison.hand(MARKING)
    arguments = ("-f", comparison.objects([box(n, size=9) for n in range(50)]), "--fuzz", "600", "--seed", "7")
    held = hold(comparison)
    running = started("marking", *arguments, "--jobs", "1", "--format", "json", "--resume", "state.json")
    until(lambda: marks(comparison) > HELD)
    running.interrupt()
    assert running.done().code == 130
    held.unlink()
    assert 50 < state(comparison)["items"] < 650
    rest, whole = (
        comparison("stricter" if not more else "marking", *arguments, "--format", "json", *more)
        for more in (("--resume", "state.json"), ())
    )
    again, expected = timeless(results(rest)), timeless(results(whole))
    assert again["totals"] == expected["totals"]
    assert again["rules"] == expected["rules"]
    assert again["totals"]["compared"] == 650


@pytest.mark.process
def test_an_interruption_while_examples_are_made_small_loses_nothing(
    comparison: Comparison, started: Callable[..., Running]
) -> None:
    comparison.hand(
        "\n\ndef lasting(obj, old, op):\n"
        "    if os.path.exists('asked'):\n        open('again', 'w').close()\n        time.sleep(0.5)\n"
        "    if obj['metadata']['name'] == 'box-299':\n        open('asked', 'w').close()\n"
        "    return stricter(obj, old, op)\n"
    )
    file = comparison.objects([box(n, size=9, name="abc") for n in range(300)])
    running = started("lasting", "-f", file, "--jobs", "1", "--format", "json")
    until((comparison.directory / "again").exists)
    running.interrupt()
    done = running.done()
    assert done.code == 130
    assert results(done)["totals"]["mismatches"] == 300


@pytest.mark.process
@pytest.mark.parametrize("seconds", _parameters((0.0,), (0.2,), (0.5,), thorough=[(0.1,), (0.3,), (0.8,), (1.2,)]))
def test_an_interruption_at_any_moment_ends_with_130(
    comparison: Comparison, started: Callable[..., Running], seconds: float
) -> None:
    file = objects(comparison)
    running = started("slow", "-f", file, "--jobs", "2")
    time.sleep(seconds)
    running.interrupt()
    done = running.done(begun=False)
    # Before Python has begun, it is a signal; after that and before our first line, Python fails to begin.
    assert done.code in (130, -signal.SIGINT) or (done.code == 1 and "KeyboardInterrupt" in done.err)
    until(lambda: running.children == [])


@pytest.mark.process
def test_standard_input_that_stays_open_does_not_keep_the_results(
    comparison: Comparison, started: Callable[..., Running]
) -> None:
    comparison.hand(MARKING)
    running = started("marking", "-f", "-", "--format", "json")
    assert running.process.stdin
    running.process.stdin.write("".join(f"{json.dumps(box(n, size=9))}\n" for n in range(100)).encode())
    running.process.stdin.flush()
    until(lambda: marks(comparison) >= 10)
    time.sleep(0.5)
    running.interrupt()
    done = running.done()
    assert done.code == 130
    assert results(done)["totals"]["mismatches"] >= 10


# --- handwritten code that ends its process, or does not come back ----------------------------------------------------

ENDS = """

def ends(obj, old, op):
    if obj["metadata"]["name"] == "box-377":
        {how}
    return slow(obj, old, op)
"""


@pytest.mark.parametrize(("how", "said"), [("os._exit(3)", "exit code 3"), ("os.kill(os.getpid(), 9)", "SIGKILL")])
def test_a_process_that_ends_is_told_with_the_object_and_the_results_so_far(
    comparison: Comparison, how: str, said: str
) -> None:
    comparison.hand(ENDS.format(how=how))
    file = comparison.objects([box(n, size=9) for n in range(1000)])
    done = comparison("ends", "-f", file, "--jobs", "2", "--format", "json", "--resume", "state.json")
    assert done.code == 2
    assert said in done.err
    assert "it was at objects.jsonl:378" in done.err
    data = results(done)
    assert data["interrupted"]
    assert data["totals"]["mismatches"] == 377
    assert state(comparison)["items"] == 377


STUBBORN = """

def stubborn(obj, old, op):
    if obj["metadata"]["name"] == "box-377":
        open("stuck", "w").close()
        while True:
            try:
                time.sleep(1)
            except {what}:
                pass
    return slow(obj, old, op)
"""


@pytest.mark.process
@pytest.mark.parametrize(
    ("jobs", "what"), _parameters((1, "ValueError"), (2, "BaseException"), thorough=[(2, "ValueError")])
)
def test_a_function_that_hangs_can_be_interrupted(
    comparison: Comparison, started: Callable[..., Running], jobs: int, what: str
) -> None:
    comparison.hand(STUBBORN.format(what=what))
    file = comparison.objects([box(n, size=9) for n in range(1000)])
    running = started("stubborn", "-f", file, "--jobs", str(jobs), "--format", "json")
    until((comparison.directory / "stuck").exists)
    running.interrupt()
    done = running.done()
    assert done.code == 130
    assert 0 < results(done)["totals"]["mismatches"] <= 377
    until(lambda: running.children == [])


@pytest.mark.process
def test_who_swallows_interruptions_is_ended_by_the_third_one(
    comparison: Comparison, started: Callable[..., Running]
) -> None:
    comparison.hand(STUBBORN.format(what="BaseException"))
    file = comparison.objects([box(n, size=9) for n in range(1000)])
    running = started("stubborn", "-f", file, "--jobs", "1", "--resume", "state.json")
    until((comparison.directory / "stuck").exists)
    for _ in range(3):
        running.interrupt()
        time.sleep(0.3)
    assert running.done().code == 130
    assert 0 < state(comparison)["items"] <= 377  # what was done is not lost


@pytest.mark.process
@each_number_of_jobs
def test_a_program_that_hangs_is_ended_with_the_comparison(
    comparison: Comparison, started: Callable[..., Running], jobs: int
) -> None:
    program = "import os, time\nopen(f'pid-{os.getpid()}', 'w').close()\ntime.sleep(3600)\n"
    comparison.program.write({"side.py": program})
    file = comparison.objects([box(n) for n in range(1000)])
    running = started("exec:python side.py", "-f", file, "--jobs", str(jobs))
    until(lambda: list(comparison.directory.glob("pid-*")))
    running.interrupt()
    assert running.done().code == 130
    pids = [file.name.removeprefix("pid-") for file in comparison.directory.glob("pid-*")]
    until(lambda: not any(map(_is_running, pids)))


@pytest.mark.process
@each_number_of_jobs_when_thorough
@pytest.mark.parametrize(
    "failure",
    [
        *(pytest.param(each, marks=pytest.mark.slow) for each in ("gzip", "too large", "slow body", "reset")),
        "no answer",
    ],
)
def test_a_webhook_that_fails_does_not_keep_a_comparison_from_ending(
    comparison: Comparison, started: Callable[..., Running], failure: str, jobs: int
) -> None:
    behave, _ = FAILURES[failure]
    asked = threading.Event()

    def noting(connection: socket.socket, over: threading.Event) -> None:
        asked.set()
        behave(connection, over)

    file = comparison.objects([box(n) for n in range(30)] * 100)
    more = ("-f", file, "--jobs", str(jobs), "--retries", "0", "--timeout", "3600")
    with peer(noting) as spec:
        running = started(spec, *more)
        until(asked.is_set)
        time.sleep(0.3)
        running.interrupt(signal.SIGTERM)
        assert running.done().code in (2, 130)  # 2: all have been asked by then
    until(lambda: running.children == [])


def _is_running(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


STUBBORN_PEER = """\
import json, os, signal, subprocess, sys, time
for sign in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGPIPE):
    signal.signal(sign, signal.SIG_IGN)
child = subprocess.Popen(["sleep", "3600"])
for pid in (os.getpid(), child.pid):
    open(f"pid-{pid}", "w").close()
for line in sys.stdin:
    time.sleep(0.003)
    with open("marks", "a") as file:
        file.write("x")
    while os.path.getsize("marks") > 150:
        time.sleep(0.02)
    print(json.dumps({"id": json.loads(line)["id"], "errors": []}), flush=True)
time.sleep(3600)
"""


@pytest.mark.process
@pytest.mark.parametrize(
    ("jobs", "sign"),
    _parameters((1, signal.SIGHUP), (2, signal.SIGKILL), thorough=[(1, signal.SIGKILL), (2, signal.SIGHUP)]),
)
def test_programs_that_end_for_nobody_end_with_a_comparison_that_is_killed(
    comparison: Comparison, started: Callable[..., Running], jobs: int, sign: int
) -> None:
    """They ignore the end of their input and all signals, as do processes that they have started."""
    file = objects(comparison, 500)
    comparison.program.write({"side.py": STUBBORN_PEER})
    arguments = ("-f", file, "--jobs", str(jobs), "--format", "json", "--option", "Deep=false")
    running = started("exec:python side.py", *arguments, "--resume", "state.json")
    until(lambda: marks(comparison) > 150)
    os.kill(running.process.pid, sign)
    if sign == signal.SIGHUP:
        assert running.done().code == 130
    else:
        running.process.communicate()
    pids = [file.name.removeprefix("pid-") for file in comparison.directory.glob("pid-*")]
    assert len(pids) >= 2
    until(lambda: not any(map(_is_running, pids)))
    until(lambda: running.children == [])
    before = state(comparison)["items"]  # a whole one
    (comparison.directory / "marks").unlink()
    ready = STUBBORN_PEER.replace("time.sleep(3600)", "").replace("time.sleep(0.003)", "").replace("> 150", "< 0")
    comparison.program.write({"side.py": ready.replace('"3600"', '"0"')})
    rest, whole = (
        timeless(results(comparison("exec:python side.py", *arguments, *more)))
        for more in (("--resume", "state.json"), ())
    )
    assert rest == whole
    assert before < 500


@pytest.mark.process
@pytest.mark.parametrize("target", ["/dev/full", "closed"])
def test_standard_output_that_takes_nothing_ends_with_words(comparison: Comparison, target: str) -> None:
    """A disk that is full, or a reader that has gone. The files that are asked for are there all the same."""
    file = comparison.objects([box(n, size=9) for n in range(50)])
    program = comparison.program
    if target == "closed":
        reader, writer = os.pipe()
        os.close(reader)
    else:
        writer = os.open(target, os.O_WRONLY)
    try:
        done = subprocess.run(
            program.command(*comparison.arguments("stricter", "-f", file, "--format", "json", "--report", "p.html")),
            cwd=program.directory,
            env=program.environ(),
            stdin=subprocess.DEVNULL,
            stdout=writer,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    finally:
        os.close(writer)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert (b"No space left" in done.stderr) == (target == "/dev/full")
    assert (comparison.directory / "p.html").stat().st_size > 1000


def test_a_report_that_cannot_be_written_is_told_beside_the_results(comparison: Comparison) -> None:
    """A file may not be longer than a limit of the process, which is as good as a full disk."""
    file = comparison.objects([box(n, size=9) for n in range(50)])
    program = comparison.program
    command = program.command(*comparison.arguments("stricter", "-f", file, "--format", "json"))
    done = subprocess.run(
        ["/bin/sh", "-c", 'ulimit -f 1; exec "$@"', "sh", *command, "--report", "p.html", "--history", "h.jsonl"],
        cwd=program.directory,
        env=program.environ({"PYTHONDONTWRITEBYTECODE": "1"}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert b"VG903" in done.stderr
    assert b"p.html" in done.stderr
    assert json.loads(done.stdout)["totals"]["mismatches"] == 50
    assert not (comparison.directory / "p.html").exists()
