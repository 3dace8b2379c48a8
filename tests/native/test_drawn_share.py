"""Native code answers nearly all usual requests to drawn packages with all tags in three levels of structs.

Valid requests are certainly valid, and of requests with errors in one struct below the kind that struct is named.
Unusual requests are left out, as in `test_share`. The remaining valid ones are reported with the tags without which
native code would be sure, or the request would not be valid.
"""

from __future__ import annotations

import copy
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.commands.edgecases.samples import subjects
from tests.native.packages import LEVELS, built, drawn_package
from tests.native.test_share import _oddity
from tests.native.twoways import Asked, needs_native
from tests.thorough import THOROUGH
from validation_gen.commands.edgecases import Drawing, Subject, make_random_source
from validation_gen.compiler.pipeline import load_validators
from validation_gen.runtime.errors import FieldError

pytestmark = needs_native

_PACKAGES, _REQUESTS = (300, 12) if THOROUGH else (16, 5)
#: At least so many of a thousand usual valid requests are certainly valid.
_LEAST = 990
#: In so many of a thousand invalid requests with errors in one struct below the kind, that struct is named.
_LEAST_NAMED = 950
#: Why functions answer what native code does not, by the tags of a construct. All are rare.
_REASONS = {
    "monotonic|immutable|update": "a rule of changes about a member that comes, goes or is in a list of many rules",
    "eachVal|listType|listMapKey": "rules of items that find the old items in different ways",
    "subfield": "a rule of a part that is not there",
}
#: The tags of so many requests are looked for, by `make thorough` or if there are too many: it takes a second each.
_EXPLAINED = 40


def _requests(subject: Subject, asked: Asked) -> Iterator[Asked]:
    """Draws creates, updates that change nothing, and updates that do."""
    drawing = Drawing(subject, make_random_source(subject.kind.package, subject.kind.name))
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


def _reason(tags: str) -> str:
    return next((reason for known, reason in _REASONS.items() if re.search(known, tags)), "several rules together")


def _is_below(asked: Asked, errors: list[FieldError]) -> bool:
    """Returns whether all errors are in one member of the kind, and of rules that structs below have."""
    members = {error.field.partition(".")[0] for error in errors}
    structs = {error.rule.source.partition(".")[0] for error in errors}
    below = all("." in error.field for error in errors) and asked.kind.name not in structs
    return below and len(members) == 1 and all(name.startswith(LEVELS) for name in structs)


def test_usual_requests(tmp_path: Path) -> None:
    counts: Counter[str] = Counter()
    left: list[tuple[str, Asked]] = []
    for seed in range(_PACKAGES):
        text, program, registry = drawn_package(seed, tmp_path / "package")
        for subject in subjects(program, registry):
            for asked in _requests(subject, Asked(registry, subject.kind, {})):
                certain, errors = asked.agree(), asked.errors()
                if _oddity(asked):
                    continue
                if errors:
                    if _is_below(asked, errors):
                        found = asked.located()
                        counts["invalid: named" if found is not None and found[3] else "invalid: the whole object"] += 1
                    continue
                kind = "create" if not asked.update else "unchanged" if asked.obj == asked.old else "update"
                counts[f"{kind}: {'certainly valid' if certain else 'unsure'}"] += 1
                left += [] if certain else [(text, asked)]
    named, whole = counts["invalid: named"], counts["invalid: the whole object"]
    valid = counts.total() - named - whole
    good = 1000 * (valid - len(left)) >= _LEAST * valid
    explained = [] if good and not THOROUGH else left[:: len(left) // _EXPLAINED + 1]
    tags = Counter(_tags_of(text, asked, tmp_path / "package") for text, asked in explained)
    sys.stderr.write(f"{dict(counts)}\n")
    sys.stderr.writelines(f"unsure: {count} of {found}: {_reason(found)}\n" for found, count in tags.most_common())
    assert good, (counts, tags)
    assert 1000 * named >= _LEAST_NAMED * (named + whole) > 0, counts
    assert counts["create: certainly valid"] > _PACKAGES
    assert counts["update: certainly valid"] > _PACKAGES
