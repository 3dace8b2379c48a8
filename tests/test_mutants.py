"""Mutants are small changes that leave a module one."""

from __future__ import annotations

import ast

from tests.mutants.__main__ import drawn
from tests.mutants.mutations import mutations
from tests.mutants.rooms import ROOMS, ROOT

SOURCE = '''
def of(value: int, ü: bool = True) -> int:
    """Text with 1 and not."""
    if not value or (ü and value < 2):  # or
        return value + ü
    for each in (1, 2):
        if each in (value,):
            continue
    return 0
'''


def test_every_change_is_told_and_applied() -> None:
    told = [str(each) for each in mutations(SOURCE)]
    assert told == [
        "2: True  ->  False",
        "4: not value  ->  (value)",
        "4: not value or (ü and value < 2)  ->  not (not value or (ü and value < 2))",
        "4: or (  ->  and (",
        "4: and  ->  or",
        "4: <  ->  <=",
        "4: 2  ->  3",
        "5: +  ->  -",
        "6: 1  ->  2",
        "6: 2  ->  3",
        "7: in  ->  not in",
        "8: continue  ->  break",
        "9: 0  ->  1",
    ]
    for each in mutations(SOURCE):
        changed = each.apply(SOURCE)
        assert changed != SOURCE
        ast.parse(changed)


def test_rooms_have_modules_and_tests() -> None:
    for name, room in ROOMS.items():
        assert len(room.modules()) > 3
        assert all((ROOT / path).exists() for path in room.tests), name


def test_a_seed_draws_the_same() -> None:
    first = drawn("tags", 5, 1)
    assert first == drawn("tags", 5, 1) != drawn("tags", 5, 2)
