"""The program itself: it is there, and answers."""

from __future__ import annotations

from tests.parties import Parties


def test_the_program_answers(parties: Parties) -> None:
    assert parties.ask("ping")["ok"]
