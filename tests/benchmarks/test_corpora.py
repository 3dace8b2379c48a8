"""What the measurements of corpora stand on: the same corpus each time, every process seen, and a model that holds."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from benchmarks import corpora, scaling
from validation_gen.commands.distributed.partitions import USUAL

MEASURED = scaling.Measured(rate=30.0, few=0.004, many=0.016, memory=340)


def test_a_corpus_is_the_same_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpora, "_FILE", 1_500_000)
    found = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        count = corpora.draw(tmp_path / name, 4_000_000, 1000)
        texts = [file.read_bytes() for file in sorted((tmp_path / name).iterdir())]
        found.append([hashlib.sha256(text).hexdigest() for text in texts])
        lines = b"".join(texts).splitlines()
        assert len(lines) == count == len(set(lines))
        assert 4_000_000 <= sum(map(len, texts)) < 6_000_000
        assert len(texts) > 2
    assert found[0] == found[1]


@pytest.mark.parametrize("length", [1000, 2000, 5000])
def test_objects_are_about_as_long_as_they_should_be(tmp_path: Path, length: int) -> None:
    count = corpora.draw(tmp_path, 1, length)
    (file,) = tmp_path.iterdir()
    assert file.stat().st_size / count == pytest.approx(length, rel=0.05)
    assert json.loads(file.read_bytes().splitlines()[-1])["metadata"]["name"] == f"r{count - 1}"


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="there is no /proc to look at processes")
def test_a_child_of_a_child_is_seen() -> None:
    code = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'print(flush=True); input()'])"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.readline()
        watcher = corpora.Watcher(process.pid)
        watcher.look()
        process.communicate(b"\n")
    assert {name: len(peaks) for name, peaks in watcher.peaks().items()} == {"client": 1, "worker": 1}
    assert all(peak > 1 for peaks in watcher.peaks().values() for peak in peaks)


def test_more_workers_are_never_slower_and_more_bytes_never_quicker() -> None:
    times = [scaling.seconds(1e13, each, MEASURED, scaling.Assumed()) for each in range(1, 1000)]
    assert times == sorted(times, reverse=True)
    sizes = [scaling.seconds(each * 1e9, 10, MEASURED, scaling.Assumed()) for each in range(1, 100)]
    assert sizes == sorted(sizes)


def test_what_is_slowest_decides() -> None:
    nothing = scaling.Assumed(store=1e9, total=1e9, begin=0, look=0)
    last = USUAL / 1e6 / 30
    assert scaling.seconds(3e9, 1, MEASURED, nothing) == pytest.approx(100 + last)
    taking = 1e13 / USUAL * 0.016
    assert scaling.seconds(1e13, 10**6, MEASURED, nothing, is_many=True) == pytest.approx(taking + last)
    slow = scaling.Assumed(store=30, begin=0, look=0)
    assert scaling.seconds(3e9, 1, MEASURED, slow) == pytest.approx(200 + 2 * last)


def test_the_figure_is_a_picture() -> None:
    root = ET.fromstring(scaling._picture(MEASURED, scaling.Assumed()))
    names = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"10 GB", "10 TB", "100", "1 h"} <= set(names)
    assert len(list(root.iter("{http://www.w3.org/2000/svg}polyline"))) == 4
