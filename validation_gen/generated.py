"""What a generation gives: texts, findings and numbers, apart from any place on disk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from validation_gen.diagnostics import Diagnostic


@dataclass(frozen=True, slots=True)
class Generated:
    """The files by path below the output directory, what was noticed, and how much takes part."""

    files: Mapping[str, str] = field(default_factory=dict)
    findings: tuple[Diagnostic, ...] = ()
    packages: int = 0
    types: int = 0
    rules: int = 0
