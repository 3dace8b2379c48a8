"""Updates with native code, beside Python's `==` of both objects and an accept of the new one.

`==` takes `1` for `True`, and says nothing of what differs; ours does both and judges changes.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from benchmarks.contenders import ours
from benchmarks.measure import Plan, growth
from benchmarks.objects import JSON, SUBJECTS, Subject, copy_of, edited
from benchmarks.results import Results, short

#: So many updates of one object in a call, so that the call itself is no part of what is measured.
_UPDATES = 500


def _work(
    validator: Callable[..., list[Any]], old: JSON, new: JSON, number: int
) -> tuple[Callable[[], None], Callable[[], None]]:
    """Both ways, each a call that does it so often."""

    def update() -> None:
        for _ in range(number):
            validator(new, old)

    def both() -> None:
        for _ in range(number):
            new == old  # noqa: B015 - what it says is of no use here
            validator(new)

    return update, both


def measured(validator: Callable[..., list[Any]], subject: Subject, plan: Plan, number: int = _UPDATES) -> Results:
    """By case: seconds of an update, of the other way, and their ratio."""
    valid = subject.build()
    news = {"unchanged": copy_of(valid), "changed": edited(valid, subject.change)}
    assert not any(validator(*objects) for new in news.values() for objects in ((new,), (new, valid)))
    pairs = {}
    for case, new in news.items():
        update, both = _work(validator, valid, new, number)
        pairs[case] = [both], [update]
    return {
        case: {"ours": short(update / number), "other": short(both / number), "ratio": short(ratio)}
        for case, (both, update, ratio) in growth(pairs, plan).items()
    }


def run(package: str, plan: Plan) -> Results:
    """By subject what is measured. The package is an importable generated one whose validators run natively."""
    module = importlib.import_module(package)
    return {
        subject.key: measured(ours.prepared(module, subject.api_version, subject.kind), subject, plan)
        for subject in SUBJECTS
    }
