"""The names of the formats in which findings are told: the one list of them."""

from __future__ import annotations

import enum


class DiagnosticFormat(str, enum.Enum):
    """How findings are printed."""

    FULL = "full"
    CONCISE = "concise"
    JSON = "json"
    JSONL = "jsonl"
    GITHUB = "github"
    SARIF = "sarif"
    JUNIT = "junit"

    @property
    def for_people(self) -> bool:
        """Whether it goes with sentences about what a run has done."""
        return self in (DiagnosticFormat.FULL, DiagnosticFormat.CONCISE)

    @property
    def owns_stdout(self) -> bool:
        """Whether standard output holds the document, and nothing else."""
        return not self.for_people
