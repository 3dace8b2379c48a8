"""A small number of tries of each attack; `make attack` makes many."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.attack.attacks import ATTACKS, Attack
from tests.attack.running import call
from tests.attack.watching import changes, listing, watched
from tests.attack.yard import Yard

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes, links and signals are those of POSIX")

#: Any number. Another one makes other tries, which `make attack` is for.
SEED = 20261122


@pytest.mark.slow  # 150 runs of the program; what it does with bad input is tested in each room
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_nothing_gets_through(attack: Attack, tmp_path: Path) -> None:
    faults = attack.run(Yard(tmp_path / "yard"), SEED, attack.few)
    assert not faults, "\n\n".join(faults[:5])


def test_each_attack_says_what_it_does() -> None:
    assert all(attack.summary.endswith(".") for attack in ATTACKS)
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS)


def test_what_gets_through_is_seen(tmp_path: Path) -> None:
    """The watch itself: a run that writes elsewhere, starts a program or runs foreign code does not go unseen."""
    yard = Yard(tmp_path / "yard")
    yard.clear()
    yard.write("trap.py", "x = 1\n")
    before = listing(yard.root, [yard.out])
    with watched([yard.out], yard.project) as seen:
        (yard.out / "fine.txt").write_text("x", encoding="utf-8")
        assert not seen.deeds
        (yard.precious / "new.txt").write_text("x", encoding="utf-8")
        (yard.precious / "notes.txt").rename(yard.out / "notes.txt")
        (yard.out / "to").symlink_to(yard.precious)
        (yard.out / "to" / "through.txt").write_text("x", encoding="utf-8")
        exec(compile((yard.project / "trap.py").read_text(), str(yard.project / "trap.py"), "exec"), {})
    assert [deed.partition(":")[0] for deed in seen.deeds] == [
        "opened for writing",
        "os.rename",
        "os.symlink",
        "opened for writing",
        f"ran code of {yard.project / 'trap.py'}",
    ]
    assert changes(before, listing(yard.root, [yard.out])) == [
        "gone: precious/notes.txt",
        "made: precious/new.txt",
        "made: precious/through.txt",
    ]


def test_a_run_that_breaks_or_hangs_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks() -> None:
        raise ValueError("broken")

    def hangs() -> None:
        while True:
            pass

    monkeypatch.setattr("tests.attack.running.run", breaks)
    assert "ValueError: broken" in call([], tmp_path).fault
    monkeypatch.setattr("tests.attack.running.run", hangs)
    assert "no end after" in call([], tmp_path, deadline=0.2).fault
