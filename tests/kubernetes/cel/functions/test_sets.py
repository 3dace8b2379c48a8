"""The functions of sets."""

from __future__ import annotations

from tests.tables import each
from validation_gen.kubernetes.cel.functions import lists
from validation_gen.kubernetes.cel.values import Uint


@each(
    ("values", "others", "contains", "equivalent", "intersects"),
    [
        ([], [], True, True, False),
        ([1], [], True, False, False),
        ([1], [1, 1], True, True, True),
        ([2, 1], [1], True, False, True),
        ([1, 2, 3, 4], [2, 3], True, False, True),
        ([1], [1.0, 1], True, True, True),
        ([1, 2], [Uint(2), 2.0], True, False, True),
        ([1, 2, 3], [Uint(3), 2.0, 1], True, True, True),
        ([[1], [2, 3]], [[2, 3.0]], True, False, True),
        ([1], [2], False, False, False),
        ([1], [1, 2], False, False, True),
        ([1], ["1", 1], False, False, True),
        ([1], ["1", 2], False, False, False),
        (["1", 2], ["1"], True, False, True),
    ],
)
def test_sets(values: list[object], others: list[object], contains: bool, equivalent: bool, intersects: bool) -> None:
    assert lists.contains(values, others) is contains
    assert lists.equivalent(values, others) is equivalent
    assert lists.intersects(values, others) is intersects
