"""The recorded tables are those of the checkouts. With `--update` they become those."""

from __future__ import annotations

import pytest

from tests.kubernetes.cel.spec import test_spec
from tests.kubernetes.cel.upstream import test_costs, test_extensions, test_libraries, test_rules

ALL = [each.RECORDED for each in (test_costs, test_extensions, test_libraries, test_rules, test_spec)]


def test_they_are_those_of_the_checkouts(update: bool) -> None:
    texts = [(each, text) for each in ALL if (text := each.text()) is not None]
    if not texts:
        pytest.skip(f"{', '.join(sorted({each.variable for each in ALL}))} name no checkouts")
    for each, text in texts:
        if update:
            each.write(text)
        assert each.recorded_text() == text, each.name
