"""Probes: what they say where something has failed."""

from __future__ import annotations

from validation_gen.webhooks.asgi import report


def test_what_has_failed_is_told_without_asking() -> None:
    wanted = "[+]ping ok\n[-]shutdown failed: reason withheld\nreadyz check failed\n"
    assert report("readyz", {"ping": True, "shutdown": False}, [], verbose=False) == (False, wanted)


def test_what_is_excluded_does_not_fail() -> None:
    assert report("readyz", {"ping": True, "shutdown": False}, ["shutdown"], verbose=False) == (True, "ok")
