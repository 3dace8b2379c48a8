"""How long a server waits, as Go writes it."""

from __future__ import annotations

import pytest

from tests.tables import each
from validation_gen.webhooks import ReviewError
from validation_gen.webhooks.asgi import seconds, time_to_answer


@each(
    ("text", "wanted"),
    [("10s", 10), ("1m30s", 90), ("250ms", 0.25), ("1.5s", 1.5), (".5s", 0.5), ("1h", 3600), ("7us", 7e-6), ("0", 0)],
)
def test_durations(text: str, wanted: float) -> None:
    assert seconds(text) == pytest.approx(wanted)


@each("text", ["", "10", "s", "10 s", "-1s", "1s2", "1e3s", "9" * 20 + "s", "1s" * 100, "٣s"])
def test_what_is_none(text: str) -> None:
    with pytest.raises(ReviewError, match="timeout is no duration"):
        seconds(text)


@each(
    ("query", "wanted"),
    [
        (b"", 30),
        (b"timeout=", 30),
        (b"timeout=0s", 30),
        (b"a=b", 30),
        (b"timeout=10s", 9),
        (b"timeout=1s", 0.9),
        (b"timeout=30s", 29),
        (b"timeout=90s", 30),
        (b"x=1&timeout=2s", 1.8),
        (b"&" * 5000 + b"timeout=2s", 30),
    ],
)
def test_time_is_left_for_the_way_back(query: bytes, wanted: float) -> None:
    assert time_to_answer(query, 30) == pytest.approx(wanted)
