"""Several processes that count together, as web servers with workers have them: `PROMETHEUS_MULTIPROC_DIR`."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families as parse

from tests.mismatch.promtool import check_metrics, needs_promtool

HOME = Path(__file__).parents[2]
P = "apiserver_validation_"

#: A parent that has counted one request itself and forks workers, each with requests of its own.
SERVER = """
    import os, sys
    from prometheus_client import Gauge
    from tests.mismatch.observed import outcome
    from validation_gen.mismatch.metrics import Metrics, exposition, mark_process_dead

    metrics = Metrics()
    busy = Gauge("busy", "Whether a worker is busy.", multiprocess_mode="livesum")
    metrics.compared(outcome("widget_create", mismatches=1))
    for number in range(3):
        pid = os.fork()
        if pid == 0:
            busy.set(1)
            for _ in range(10):
                metrics.compared(outcome("widget_create", mismatches=1, declarative=0.3))
            metrics.compared(outcome(f"kind{number}_create", expected=1, duplicates=2, panic=ValueError()))
            os._exit(0)
        os.waitpid(pid, 0)
        if "mark" in sys.argv:
            mark_process_dead(pid)
    sys.stdout.buffer.write(exposition()[0])
"""


def run(program: str, directory: Path | str, *args: str) -> subprocess.CompletedProcess[bytes]:
    environ = os.environ | {"PROMETHEUS_MULTIPROC_DIR": str(directory), "PYTHONPATH": str(HOME)}
    command = [sys.executable, "-c", textwrap.dedent(program), *args]
    return subprocess.run(command, cwd=HOME, env=environ, capture_output=True, timeout=60, check=False)


def counted(text: bytes) -> dict[tuple[str, ...], float]:
    return {
        (sample.name.removeprefix(P), *(sample.labels[name] for name in sorted(sample.labels))): sample.value
        for metric in parse(text.decode())
        for sample in metric.samples
    }


@pytest.mark.process
def test_forked_workers_are_added_up(tmp_path: Path) -> None:
    done = run(SERVER, tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    found = counted(done.stdout)
    name = "declarative_validation_parity_discrepancies_total"
    assert found["declarative_validation_mismatch_total",] == found[name, "widget_create"] == 31
    assert [found["declarative_validation_panics_total", f"kind{i}_create"] for i in range(3)] == [1, 1, 1]
    assert found["declarative_validation_panic_total",] == 3
    assert found["duplicate_validation_error_total",] == 6
    assert found["declarative_validation_expected_mismatch_total", "kind1_create"] == 1
    assert found["duration_seconds_count", "declarative", "widget_create"] == 31
    assert found["duration_seconds_bucket", "0.25", "declarative", "widget_create"] == 1
    assert found["duration_seconds_bucket", "0.5", "declarative", "widget_create"] == 31
    assert found["duration_seconds_sum", "declarative", "widget_create"] == pytest.approx(30 * 0.3 + 2e-5)
    assert found["busy",] == 3


@pytest.mark.process
def test_what_the_dead_have_counted_stays(tmp_path: Path) -> None:
    found = counted(run(SERVER, tmp_path, "mark").stdout)
    assert found["declarative_validation_mismatch_total",] == 31
    assert found["busy",] == 0


@needs_promtool
def test_promtool_finds_no_fault(tmp_path: Path) -> None:
    check_metrics(b"\n".join(line for line in run(SERVER, tmp_path).stdout.split(b"\n") if b"busy" not in line))


@pytest.mark.process
def test_processes_of_their_own_are_added_up(tmp_path: Path) -> None:
    program = """
        import sys
        from tests.mismatch.observed import outcome
        from validation_gen.mismatch.metrics import Metrics, exposition
        Metrics().compared(outcome(mismatches=2))
        sys.stdout.buffer.write(exposition("application/openmetrics-text")[0])
    """
    for number in range(1, 4):
        found = run(program, tmp_path)
        assert (found.returncode, found.stderr) == (0, b"")
        assert f"\n{P}declarative_validation_mismatch_total {number * 2}.0\n".encode() in found.stdout


METRICS = "from validation_gen.mismatch.metrics import Metrics; Metrics()"
EXPOSITION = "from validation_gen.mismatch.metrics import exposition; exposition()"
LATE = f"""
    import os
    directory = os.environ.pop("PROMETHEUS_MULTIPROC_DIR")
    import prometheus_client
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = directory
    {METRICS}
"""


@pytest.mark.process
@pytest.mark.parametrize(
    ("program", "below", "message"),
    [
        (METRICS, "none", "which is no directory: make it before the program starts"),
        (EXPOSITION, "none", "which is no directory: make it before the program starts"),
        (LATE, "", "was set after prometheus_client was imported: set it before the program starts"),
    ],
)
def test_what_would_be_lost_in_silence_is_an_error(tmp_path: Path, program: str, below: str, message: str) -> None:
    done = run(program, tmp_path / below)
    assert done.returncode == 1
    last = done.stderr.decode().splitlines()[-1]
    assert last.startswith("ValueError: PROMETHEUS_MULTIPROC_DIR ")
    assert message in last
