"""Are all contenders of one mind? Asked before anything is timed: who does less than the others is quick in vain."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.contenders.base import Contender
from benchmarks.draws import Draw
from benchmarks.objects import Edits, Subject, edited
from benchmarks.rules import Struct

SEED = 20_261_121


class DisagreementError(Exception):
    """Two contenders judge an object differently. Its text has the object and both verdicts."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """How many objects were judged alike.

    Attributes:
        documents: all of them.
        refused: those that our validators refuse.
        unseen: those that are refused for nothing but what some contender cannot know.
    """

    documents: int
    refused: int
    unseen: int


def agree(
    subject: Subject, kind: Struct, ours: Any, contenders: Sequence[Contender], documents: int, slow: int
) -> Agreed:
    """Shows the objects of a subject, and damaged ones, to all contenders.

    Of a subject that cannot be drawn these are the objects that are timed. `ours` gives our errors as they are. A
    contender that is blind for some types of errors must accept what has no others. `jsonschema` takes as long as all
    others together: it is shown every `slow`-th object.

    Raises:
        DisagreementError: somebody accepts what we refuse, or the other way round.
    """
    draw = Draw(kind, subject.api_version, subject.kind, SEED)
    valid = subject.build()
    edits: Sequence[Edits] = ((), (subject.one,), subject.ten, subject.ten_typed, (subject.change,))
    objects = [edited(valid, *each) for each in edits]
    refused = unseen = 0
    documents = documents if subject.is_drawn else len(objects)
    for number in range(documents):
        # Every other one is a damaged copy of the object that is timed, the rest reach all types of the kind.
        obj = objects[number] if number < len(objects) else draw.damaged(valid if number % 2 else draw.valid())
        errors = ours(obj)
        types = {error.type.value for error in errors}
        refused += bool(errors)
        unseen += any(types and types <= contender.blind for contender in contenders)
        for contender in contenders:
            if contender.key == "jsonschema" and number % slow:
                continue
            wanted = bool(types - contender.blind)
            found = contender.check(obj)
            if bool(found) is not wanted:
                raise DisagreementError(_told(contender, obj, errors, found))
    return Agreed(documents, refused, unseen)


def _told(contender: Contender, obj: Any, errors: Sequence[Any], found: Sequence[Any]) -> str:
    told = [f"{contender.title} disagrees about {json.dumps(obj)}", "ours:"]
    told += [f"  {error}" for error in errors] or ["  valid"]
    return "\n".join([*told, f"{contender.title}:", *([f"  {each}" for each in found] or ["  valid"])])
