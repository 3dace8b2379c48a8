"""Of drawn packages with all tags in three levels of structs, nearly all usual valid requests are certainly valid.

Requests that are valid for Python and unusual are left out, as in `test_share`. What remains is reported by the tags
without which native code would be sure, or the request would not be valid.
"""

from __future__ import annotations

import copy
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.native.packages import built, drawn_package
from tests.native.test_share import _oddity
from tests.native.twoways import Asked, needs_native
from tests.thorough import THOROUGH
from tests.uses.edgecases.samples import subjects
from validation_gen.build.pipeline import load_validators
from validation_gen.uses.edgecases import Drawing, Subject, seeded

pytestmark = needs_native

_PACKAGES, _REQUESTS = (300, 12) if THOROUGH else (25, 5)
#: `.ci/check-native` leaves out the second part, in which native code does nothing that it does not do in the first.
_PARTS = {"few": range(8), "more": range(8, _PACKAGES)}
#: At least so many of a thousand usual valid requests are certainly valid.
_LEAST = 980
#: The tags of so many requests are looked for, by `make thorough` or if there are too many: it takes a second each.
_EXPLAINED = 40


def _requests(subject: Subject, asked: Asked) -> Iterator[Asked]:
    """Draws creates, updates that change nothing, and updates that do."""
    drawing = Drawing(subject, seeded(subject.kind.package, subject.kind.name))
    for _ in range(_REQUESTS):
        probe = drawing.request()
        yield Asked(asked.registry, asked.kind, probe.obj, probe.old, probe.update, probe.options)
        if not probe.update:
            yield Asked(asked.registry, asked.kind, probe.obj, copy.deepcopy(probe.obj), True, probe.options)


def _tags_of(text: str, asked: Asked, directory: Path) -> str:
    """Returns the tags without which native code is sure, or the request is invalid."""
    found: set[str] = set()
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if number and "+k8s:" in line:
            without = "\n".join(lines[:number] + lines[number + 1 :])
            same, program = built(without, directory)
            if same != without:
                continue
            registry = load_validators(program)
            (kind,) = registry.of_type(asked.kind.name)
            other = Asked(registry, kind, asked.obj, asked.old, asked.update, asked.options)
            if other.certain() or other.errors():
                found.add(re.sub(r"\([^)]*\)|=[^+:]*$", "", line.strip()[3:]))
    return " ".join(sorted(found)) or "no single one"


@pytest.mark.parametrize("part", _PARTS)
def test_usual_valid_requests_are_certainly_valid(part: str, tmp_path: Path) -> None:
    seeds = _PARTS[part]
    told: Counter[str] = Counter()
    left: list[tuple[str, Asked]] = []
    for seed in seeds:
        text, program, registry = drawn_package(seed, tmp_path / "package")
        for subject in subjects(program, registry):
            for asked in _requests(subject, Asked(registry, subject.kind, {})):
                certain = asked.agree()
                if asked.errors():
                    told["invalid"] += 1
                elif not _oddity(asked):
                    kind = "create" if not asked.update else "unchanged" if asked.obj == asked.old else "update"
                    told[f"{kind}: {'certainly valid' if certain else 'unsure'}"] += 1
                    left += [] if certain else [(text, asked)]
    valid = told.total() - told["invalid"]
    good = 1000 * (valid - len(left)) >= _LEAST * valid
    explained = [] if good and not THOROUGH else left[:: len(left) // _EXPLAINED + 1]
    tags = Counter(_tags_of(text, asked, tmp_path / "package") for text, asked in explained)
    sys.stderr.write(f"{dict(told)}\nunsure, by tags: {tags.most_common()}\n")
    assert good, (told, tags)
    assert told["create: certainly valid"] > len(seeds)
    assert told["update: certainly valid"] > len(seeds)
