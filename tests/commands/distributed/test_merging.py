"""Results merge in any grouping and order, also where there is more than is kept."""

from __future__ import annotations

import itertools
import json
import random

import pytest

from tests.thorough import drawn
from validation_gen.commands.compare import results as module
from validation_gen.commands.compare.groups import Example, Order, Sort
from validation_gen.commands.compare.results import Results, RuleUse, Tally
from validation_gen.commands.distributed.codec import decode, encode
from validation_gen.commands.distributed.partitions import Content, Part, Partition
from validation_gen.commands.distributed.running import Corpus


@pytest.fixture(autouse=True)
def _little_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_GROUPS", 12)
    monkeypatch.setattr(module, "MOST_WHOLE", 4)
    monkeypatch.setattr(module, "_MOST_NOTES", 5)


def results(found: list[tuple[Order, int]]) -> Results:
    """What a judge would make of requests, each of them a place and a number that all else depends on."""
    made = Results()
    for order, number in found:
        draw = random.Random(number)
        kind = f"Kind{draw.randrange(3)}"
        tally = made.tallies.setdefault((kind, "create"), Tally())
        tally.differing += 1
        if draw.random() < 0.3:
            made.note(f"file:{order}: bad {number}", order)
            continue
        for _ in range(draw.randrange(1, 4)):
            sort = Sort(kind, "create", "both", "rule extra", f"a{draw.randrange(9)}", "T", "", "", "")
            error = {
                "field": sort.path,
                "type": "T",
                "detail": "d" * draw.randrange(400),
                "message": "m",
                "badValue": 1,
            }
            errors = [dict(error) for _ in range(draw.randrange(1, 5))]
            example = Example({"n": number % 7}, None, {}, f"file:{order[1]}", errors, [], "m" * 300, "t")
            made.add_mismatch(sort, draw.choice(["", "known"]), example.rank, lambda example=example: example, order)  # type: ignore[misc]
        made.add_uses([RuleUse(kind, "a", "T", "", "", "", 1)])
    return made


def text(found: Results) -> str:
    return json.dumps(found.as_data(), sort_keys=True)


def test_any_division_and_any_order_gives_the_same() -> None:
    for seed in range(drawn(120)):
        draw = random.Random(seed)
        found = [((n // 20, n % 20), draw.randrange(10**6)) for n in range(100)]
        whole = text(results(found))
        cuts = sorted({0, 100, *draw.sample(range(100), draw.randrange(9))})
        parts = [results(found[begin:end]) for begin, end in itertools.pairwise(cuts)]
        draw.shuffle(parts)
        while len(parts) > 1:  # any tree
            one = parts.pop(draw.randrange(len(parts)))
            parts[draw.randrange(len(parts))].merge(Results.of_data(json.loads(text(one))))
        assert text(parts[0]) == whole


def test_parts_are_read_as_they_were_written() -> None:
    one = Part(results([((1, n), n) for n in range(50)]), 50, {1: 51}, {"of the verb get": 2})
    data = encode(one, Part[Results])
    assert encode(decode(Part[Results], json.loads(json.dumps(data))), Part[Results]) == data


def test_lines_are_counted_from_the_beginning_of_the_source() -> None:
    cut = [Partition(n, "a", n * 10, n * 10 + 10, Content.LINES) for n in range(4)]
    again = Partition(5, "a", 0, 10, Content.LINES)  # a source that is named twice
    corpus = Corpus([*cut, Partition(4, "b"), again], lines={0: 3, 1: 0, 2: 5, 3: 1})
    assert corpus.sources() == {0: ("a", 0), 1: ("a", 3), 2: ("a", 3), 3: ("a", 8), 4: ("b", 0), 5: ("a", 0)}
    known = Corpus(cut, lines={0: 3, 2: 5}).sources()
    assert known == {0: ("a", 0), 1: ("a", 3), 2: ("a from byte 20 on", 0), 3: ("a from byte 30 on", 0)}
