"""Explanations of codes for formats. The caller provides the texts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from validation_gen.diagnostics import Severity


@dataclass(frozen=True, slots=True)
class About:
    """Explanation of a code: `reason` is why the code exists, `text` and `markdown` are the whole explanation.

    `severity` is the usual one. `uri` is the page about the code, `""` if none is known.
    """

    reason: str
    text: str
    markdown: str
    severity: Severity
    uri: str = ""


#: Returns the explanation of a code in `CODES`.
Explain = Callable[[str], About]
