"""Reads inputs as `compare` does, for the tests of reading them."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any

from validation_gen.commands.compare.inputs import Bad, Inputs, Item, parse_item
from validation_gen.commands.compare.requests import Request
from validation_gen.diagnostics import Diagnostics


class Read:
    """What was found in inputs. Items have been pickled on their way, as they are between processes."""

    def __init__(self, *where: str | Path, old: Sequence[str | Path] = (), skip: int = 0, column: str = "") -> None:
        diagnostics = Diagnostics()
        self.items: list[Item] = []
        self.found: list[Request | Bad] = []
        by_place: list[tuple[tuple[int, int], Request | Bad]] = []
        with Inputs([str(one) for one in where], diagnostics, old=[str(one) for one in old], column=column) as inputs:
            for item in inputs.read_items(skip):
                self.items.append(item)
                found = parse_item(pickle.loads(pickle.dumps(item)))
                self.found += found
                by_place += [(item.order or (0, 0), one) for one in found]
            self.total = inputs.total
            self.sentences = inputs.sentences()
        #: The requests as they stand in the input.
        self.ordered = [one for _, one in sorted(by_place, key=itemgetter(0)) if isinstance(one, Request)]
        self.problems = [(d.code, str(d.span), d.message) for d in diagnostics.sorted()]

    @property
    def requests(self) -> list[Request]:
        return [one for one in self.found if isinstance(one, Request)]

    @property
    def objects(self) -> list[Any]:
        return [request.obj for request in self.requests]

    @property
    def bad(self) -> list[str]:
        return [str(one) for one in self.found if isinstance(one, Bad)]

    @property
    def places(self) -> list[str]:
        return [one.place for one in self.found]


def pod(name: str, **rest: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "namespace": "shop"}, **rest}
