"""The answers of the program, recorded as data, so that tests have them where the program is not."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from pathlib import Path
from typing import Any

from tests.apiserver import Object, Source

#: Servers number the types of objects otherwise each time.
_TYPE = re.compile(r"selfType\d+")
FOLDER = Path(__file__).parents[2] / "testdata" / "apiserver-answers"


def recording_path(test: Path) -> Path:
    """Returns the file with the answers to the questions of a file of tests."""
    return FOLDER / f"{'-'.join(test.relative_to(Path(__file__).parents[1]).with_suffix('').parts)}.jsonl.gz"


class Recording:
    """Answers the questions of one file of tests from a file that has a line for each: a digest and an answer."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._answers: dict[str, Any] = {}
        if path.exists():
            with gzip.open(path, "rt", encoding="utf-8") as lines:
                self._answers = dict(map(json.loads, lines))

    def answer(self, question: Object) -> dict[str, Any]:
        key = _digest(question)
        if key not in self._answers:
            raise AssertionError(
                f"{self._path.name} has no answer to this question ({question['op']}): if the question is meant to be "
                'new, record the answer as "New answers" in tests/apiserver/README.md says; of a new case folder, put '
                "the name into UNRECORDED of tests/emit/schema/test_equivalence.py instead"
            )
        return _restore(question, self._answers[key])


class Recorder:
    """Asks the program, and holds its answers against those that are recorded, or records them anew."""

    def __init__(self, program: Source, path: Path, *, update: bool) -> None:
        self._program, self._path, self._update = program, path, update
        self._old: Source = Recording(path)
        self._new: dict[str, Any] = {}

    def answer(self, question: Object) -> dict[str, Any]:
        kept = _reduce(question, self._program.answer(question))
        self._new[_digest(question)] = kept
        answer = _restore(question, kept)
        if not self._update:
            assert self._old.answer(question) == answer, "the program answers otherwise than is recorded"
        return answer

    def close(self) -> None:
        """Writes the answers to all questions that were asked; others are forgotten."""
        if self._update:
            lines = "".join(_canonical([key, self._new[key]]) + "\n" for key in sorted(self._new))
            self._path.parent.mkdir(exist_ok=True)
            self._path.write_bytes(gzip.compress(lines.encode(), mtime=0))


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _digest(question: Object) -> str:
    """Returns a name for a question, which does not depend on the descriptions in its definition."""
    asked = {name: _undescribed(part) if name == "crd" else part for name, part in question.items()}
    return hashlib.sha256(_canonical(asked).encode()).hexdigest()[:16]


def _undescribed(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            name: part if name in ("default", "enum", "example") else _undescribed(part)
            for name, part in value.items()
            if not (name == "description" and isinstance(part, str))
        }
    return [_undescribed(part) for part in value] if isinstance(value, list) else value


def _reduce(question: Object, answer: Object) -> dict[str, Any]:
    """Leaves out what no test reads, and objects that are stored as they were sent."""
    unread, optional = ("v2", "v3", "features", "stack"), ("errors", "warnings", "unknownFields", "selectable")
    answer = json.loads(_TYPE.sub("selfType", json.dumps(answer)))
    kept = {name: part for name, part in answer.items() if name not in unread and (part or name not in optional)}
    for name in ("errors", "crdErrors"):
        if name in kept:
            kept[name] = [{key: error[key] for key in ("type", "field", "detail", "text")} for error in kept[name]]
    if "results" in kept:
        kept["results"] = [
            _reduce_verdict(obj, _reduce({}, result))
            for obj, result in zip(question["objs"], kept["results"], strict=True)
        ]
    return kept


def _reduce_verdict(obj: Object, result: dict[str, Any]) -> dict[str, Any]:
    if "object" in result and _canonical(result["object"]) == _canonical(obj):
        return {**result, "object": True}
    return result


def _restore(question: Object, kept: Object) -> dict[str, Any]:
    """Returns an answer as the program gave it, but for what no test reads."""
    answer: dict[str, Any] = json.loads(json.dumps(kept))
    if not answer.keys() & {"panic", "error", "ok", "results", "schema2"}:
        answer = {"errors": [], "warnings": [], **answer}
    for obj, result in zip(question.get("objs", ()), answer.get("results", ()), strict=False):
        result.setdefault("errors", [])
        if result.get("object") is True:
            result["object"] = json.loads(json.dumps(obj))
    return answer
