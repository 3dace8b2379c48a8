"""Definitions of real projects as types in Python and Go, and back.

They are no part of this project: `VALIDATION_GEN_CONFORMANCE` names a folder whose `objects` has
`definitions.jsonl.gz`, a definition a line.
"""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.commands.convert.definitions import converted, differences, emitted, outline, version_schema
from tests.tables import each
from validation_gen.sources.languages import LANGUAGES, Language

_FOLDER = os.environ.get("VALIDATION_GEN_CONFORMANCE", "")
FILE = Path(_FOLDER) / "objects" / "definitions.jsonl.gz"
pytestmark = pytest.mark.skipif(
    not _FOLDER or not FILE.is_file(), reason="VALIDATION_GEN_CONFORMANCE names no folder with definitions"
)
#: In so many parts the definitions are asked about, so that several processors can.
_PARTS = 8
#: The others are known to lose something, which is told.
_LEAST_EQUAL = 0.9


def _definitions(part: int) -> list[Any]:
    with gzip.open(FILE, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line)["crd"] for number, line in enumerate(lines) if number % _PARTS == part]
    return [json.loads(row) if isinstance(row, str) else row for row in rows]


@each("language", LANGUAGES, ids=lambda language: language.name)
@each("part", range(_PARTS))
def test_schemas_come_back_but_for_what_is_told(part: int, language: Language, tmp_path: Path) -> None:
    found: Counter[str] = Counter()
    silent: list[tuple[str, str, str]] = []
    for number, obj in enumerate(_definitions(part)):
        folder = tmp_path / str(number)
        folder.mkdir()
        name, kind = obj["metadata"]["name"], obj["spec"]["names"]["kind"]
        files, losses = converted([obj], folder, language)
        back = emitted(files, folder).get(name)
        told = {(text.split("` of ")[1].rpartition(" cannot be converted")[0], text.split("`")[1]) for text in losses}
        if back is None:
            silent += [] if (kind, "kind") in told else [(name, kind, "kind")]
            continue
        if (kind, "caBundle") not in told and outline(obj) != outline(back):
            silent.append((name, kind, "outline"))
        for version in obj["spec"]["versions"]:
            ways = differences(version_schema(obj, version["name"]), version_schema(back, version["name"]), kind)
            different = [(place, keyword) for place, keyword in ways]
            found["versions"] += 1
            found["equal"] += not different
            silent += [(name, *each) for each in different if each not in told]
    assert silent == []
    assert found["equal"] >= _LEAST_EQUAL * found["versions"] > 0
