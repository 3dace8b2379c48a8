"""What formats can tell of a code beside the finding. The texts come from whoever asks for the format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from validation_gen.diagnostics import Severity


@dataclass(frozen=True, slots=True)
class About:
    """`reason` says why there is such a code, `text` and `markdown` hold the whole explanation.

    `severity` is the usual one. `uri` is the page about the code, `""` if none is known.
    """

    reason: str
    text: str
    markdown: str
    severity: Severity
    uri: str = ""


#: What there is to say about a code in `CODES`.
Explain = Callable[[str], About]
