"""Parts of an explanation of a code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from validation_gen.diagnostics import Severity

#: Default command of a sample. `v1` is the directory of its Go declarations.
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
        """Returns all files as they are on disk. The declarations are shown without the package clause."""
        declarations = {TYPES: f"package v1\n{self.go}"} if self.go else {}
        return declarations | dict(self.files)


@dataclass(frozen=True, slots=True)
class Explanation:
    """`reason` explains the code in a sentence or two. `example` causes it and no other; `fix` causes none.

    `severities` are the possible ones of the code, that of the example first.
    """

    reason: str
    example: Sample
    fix: Sample
    severities: tuple[Severity, ...] = (Severity.ERROR,)
