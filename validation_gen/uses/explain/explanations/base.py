"""What an explanation of a code consists of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from validation_gen.diagnostics import Severity

#: What is run when a sample does not say it. `v1` is the directory in which its Go declarations stand.
COMMAND = "validation-gen v1"
TYPES = "v1/types.go"


@dataclass(frozen=True, slots=True)
class Sample:
    """Something to try: Go declarations of one package, further files by name, and a command that reads them."""

    go: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    command: str = COMMAND

    @property
    def written(self) -> dict[str, str]:
        """All files as they are on disk. The declarations are shown without the clause that every package has."""
        declarations = {TYPES: f"package v1\n{self.go}"} if self.go else {}
        return declarations | dict(self.files)


@dataclass(frozen=True, slots=True)
class Explanation:
    """`reason` says in a sentence or two why there is such a code. `example` gives it and no other; `fix` gives none.

    `severities` are those that the code can have, that of the example first.
    """

    reason: str
    example: Sample
    fix: Sample
    severities: tuple[Severity, ...] = (Severity.ERROR,)
