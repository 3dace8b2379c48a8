"""`Judge` in the place of an API server, so that schemas are compared with validators where there is no server.

It says less: no words, and nothing of objects that it cannot read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.apiserver import Error, Verdict
from tests.emit.schema.judge import Judge, defaulted

_NOT_CHECKED = Error("FieldValueInvalid", "<nil>", "some validation rules were not checked", "", None)


class LittleServer:
    """Answers as `tests.apiserver.ApiServer.validate_all` does."""

    def validate_all(
        self, crd: Mapping[str, Any], pairs: Sequence[tuple[Any, Any]], *, unchecked: bool = False
    ) -> list[Verdict]:
        assert unchecked, "definitions are not judged here"
        schema = crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
        judge = Judge(schema)
        return [_verdict(judge, defaulted(schema, new), old) for new, old in pairs]


def _verdict(judge: Judge, new: Any, old: Any) -> Verdict:
    wide = tuple(_too_wide(new, ""))
    found = judge.verdict(new, old)
    errors = [Error(type, path, "", "", None) for type, path in sorted(found.errors)]
    if wide or found.blocked:
        errors.append(_NOT_CHECKED)
    return Verdict((*wide, *errors), new, (), (), {})


def _too_wide(value: Any, path: str) -> Iterator[Error]:
    """Integers of more than 64 bits with a sign become other numbers where a server reads them."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _too_wide(part, f"{path}.{name}".removeprefix("."))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _too_wide(item, f"{path}[{index}]")
    elif isinstance(value, int) and not -(2**63) <= value < 2**63:
        yield Error("FieldValueTypeInvalid", path, "must be of type integer", "", None)
