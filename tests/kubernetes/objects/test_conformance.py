"""Recorded answers of the API server's own code, about definitions of real projects.

They are no part of this project: `VALIDATION_GEN_CONFORMANCE` names a folder whose `objects` has
`definitions.jsonl.gz` and `sample.jsonl.gz`, a definition or a request with its answer a line.
"""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from validation_gen.commands.stdio import answer_objects

_FOLDER = os.environ.get("VALIDATION_GEN_CONFORMANCE", "")
OBJECTS = Path(_FOLDER) / "objects"
pytestmark = pytest.mark.skipif(
    not _FOLDER or not OBJECTS.is_dir(), reason="VALIDATION_GEN_CONFORMANCE names no folder with recorded answers"
)


def rows(name: str) -> Iterator[Any]:
    with gzip.open(OBJECTS / name, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def request(row: Any) -> str:
    """A request as a line. The objects are put in as they were recorded: duplicate names and 1.0 count."""
    head = {"id": row["id"], "op": "admit", "definition": row["crd"], "version": row["version"]}
    head |= {"fieldValidation": row["validation"], "subresource": row["subresource"]}
    return f'{json.dumps(head)[:-1]}, "obj": {row["obj"]}, "oldObj": {row["oldObj"] or "null"}}}'.replace("\n", " ")


def causes(errors: Any) -> Counter[tuple[str, str, str]]:
    return Counter((error["type"], error["field"], error["detail"]) for error in errors or ())


def difference(wanted: Any, found: Any) -> str:
    """In what two answers differ; the texts of what cannot be decoded depend on Go's release."""
    if found.get("ok") != wanted["ok"] or (not wanted["ok"] and found["code"] != wanted["code"]):
        return "verdict"
    if wanted.get("code") == 400:
        return ""
    if causes(found["errors"]) != causes(wanted["errors"]):
        return "errors"
    if Counter(found["warnings"]) != Counter(wanted["warnings"]):
        return "warnings"
    same = json.dumps(found.get("object"), sort_keys=True) == json.dumps(wanted.get("object"), sort_keys=True)
    return "" if same or not wanted["ok"] else "object"


def test_recorded_answers() -> None:
    recorded = list(rows("sample.jsonl.gz"))
    asked = {row["crd"] for row in recorded}
    lines = [
        json.dumps({"id": f"define {row['id']}", "op": "define", "name": row["id"], "definition": row["crd"]})
        for row in rows("definitions.jsonl.gz")
        if row["id"] in asked
    ]
    answers = {each["id"]: each for each in map(json.loads, answer_objects([*lines, *map(request, recorded)]))}
    assert all(answers[f"define {name}"]["ok"] for name in asked)
    differences: dict[str, list[str]] = defaultdict(list)
    for row in recorded:
        if what := difference(row["answer"], answers[row["id"]]):
            differences[what].append(row["id"])
    assert dict(differences) == {}
    assert len(recorded) >= 1000
