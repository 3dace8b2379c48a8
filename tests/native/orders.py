"""Answers to recorded requests by processes that have judged nothing else: `python -m tests.native.orders FILE WAY…`.

The file is a pickled `Corpus`. Prints JSON: for each way a digest of each answer, or null for requests that the way
leaves out. Ways are the orders of `ORDERS`, each in a process of its own, and `ALONE`, in which some requests have a
process each, without tables and with them.
"""

from __future__ import annotations

import gc
import hashlib
import json
import os
import pickle
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.case_folders import Request
from tests.native.twoways import all_of, fresh
from validation_gen.emit.loading.generated import load_registry
from validation_gen.runtime.registry import Registry

ORDERS: dict[str, Callable[[int], Sequence[int]]] = {
    "forwards": range,
    "backwards": lambda number: range(number)[::-1],
    "shuffled": lambda number: random.Random(1).sample(range(number), number),
}
ALONE = ("alone", "alone, with tables")
#: At most so many requests have a process each.
_MOST_ALONE = 50


@dataclass(frozen=True, slots=True)
class Corpus:
    """Generated packages, and requests with the indices of their packages."""

    packages: list[dict[str, str]]
    requests: list[tuple[int, Request]]


def digest(registry: Registry, request: Request) -> str:
    """Returns a digest of the whole answer of a registry to a request, with the order of its errors."""
    text = repr([all_of(error) for error in request.run(registry)])
    return hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=8).hexdigest()


def _ask_all(corpus: Corpus, registries: Sequence[Registry], order: str) -> list[str]:
    """Returns the answers to the requests, sent in the given order."""
    found = [""] * len(corpus.requests)
    for index in ORDERS[order](len(found)):
        package, request = corpus.requests[index]
        found[index] = digest(registries[package], request)
    return found


def _ask_alone(corpus: Corpus, registries: Sequence[Registry], *, warm: bool) -> list[str | None]:
    """Returns the answers of processes that judge one request."""
    found: list[str | None] = [None] * len(corpus.requests)
    for index in range(0, len(found), len(found) // _MOST_ALONE + 1):
        package, request = corpus.requests[index]
        found[index] = _in_process(lambda: digest(fresh(registries[package], warm=warm), request))  # noqa: B023
    return found


def _in_process(work: Callable[[], Any]) -> Any:
    """Returns what a function returns in a copy of this process."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            with os.fdopen(writer, "w", encoding="utf-8") as stream:
                json.dump(work(), stream)
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as stream:
        text = stream.read()
    os.waitpid(child, 0)
    return json.loads(text)


def main(file: str, *ways: str) -> None:
    corpus: Corpus = pickle.loads(Path(file).read_bytes())
    registries = [load_registry(files) for files in corpus.packages]
    for registry in registries:
        for kind in registry.kinds:
            registry.shape(kind)  # imports its module once for all processes
    gc.freeze()  # no process looks at this again
    found = {way: _in_process(lambda: _ask_all(corpus, registries, way)) for way in ways if way in ORDERS}  # noqa: B023
    for way in set(ways) & set(ALONE):
        found[way] = _ask_alone(corpus, registries, warm=way != ALONE[0])
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
