"""What we say of a definition, and what an API server does, in a form in which both can be compared."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.apiserver import ApiServer, Error
from validation_gen.diagnostics import Severity
from validation_gen.kubernetes.crd.run import check

#: The server may add these to what it takes for the same type.
_NUMBER_OF_TYPE = re.compile(r"selfType\d+")


@dataclass(frozen=True, slots=True)
class Judgement:
    """Errors as pairs of type and path, their texts, whether the definition decodes, and warnings."""

    decodes: bool
    errors: frozenset[tuple[str, str]]
    texts: frozenset[str] = field(compare=False)
    warnings: frozenset[str] = frozenset()


def ours(definition: Mapping[str, Any]) -> Judgement:
    """What we have against a definition; the server never hears of sizes, and does not warn of all that we warn of."""
    found = [finding for finding in check(definition) if finding.code != "VG509"]
    errors = [finding for finding in found if finding.severity is Severity.ERROR]
    warned = (finding.message for finding in found if finding.severity is Severity.WARNING)
    return Judgement(
        not any(finding.code == "VG511" for finding in errors),
        frozenset((finding.type, finding.field) for finding in errors if finding.code != "VG511"),
        frozenset(finding.message for finding in errors if finding.code != "VG511"),
        frozenset(text for text in warned if "unrecognized format" in text or "server-side apply" in text),
    )


def theirs(server: ApiServer, definition: Mapping[str, Any]) -> Judgement:
    """What the server has against it when it is created. It resets the status, and so do we."""
    answer = server.ask("crd", crd={name: part for name, part in definition.items() if name != "status"})
    found = [Error(e["type"], e["field"], e["detail"], e["text"]) for e in answer["errors"]]
    errors = [error for error in found if error.type not in ("BadRequest", "StrictDecoding")]
    decodes = not any(error.type == "BadRequest" for error in found)
    return Judgement(
        decodes,
        frozenset((error.type, error.field) for error in errors if error.field != "metadata.namespace"),
        frozenset(_texts(errors)),
        frozenset(answer["warnings"]) if decodes else frozenset(),
    )


def _texts(errors: Iterable[Error]) -> Iterable[str]:
    """The texts, and those without the values, which we leave out where they are whole structures."""
    for error in errors:
        yield _NUMBER_OF_TYPE.sub("selfType", error.text)
        label = error.text.removeprefix(f"{error.field}: ").partition(":")[0]
        yield _NUMBER_OF_TYPE.sub("selfType", f"{error.field}: {label}: {error.detail}")


def difference(server: ApiServer, definition: Mapping[str, Any]) -> str:
    """What differs between the two judgements; empty if nothing does."""
    mine, other = ours(definition), theirs(server, definition)
    if not mine.decodes and not other.decodes:
        return ""
    if mine != other:
        return json.dumps(
            {
                "decodes": [mine.decodes, other.decodes],
                "ours": sorted(mine.errors - other.errors),
                "theirs": sorted(other.errors - mine.errors),
                "warnings": sorted(mine.warnings ^ other.warnings),
            },
            indent=1,
        )
    return "\n".join(sorted(mine.texts - other.texts))
