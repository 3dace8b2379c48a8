"""Result of a `generate` run, before anything is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from validation_gen.diagnostics import Diagnostic


@dataclass(frozen=True, slots=True)
class Generated:
    """The files of each emitter by path below its directory, the findings, and the numbers."""

    outputs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    findings: tuple[Diagnostic, ...] = ()
    packages: int = 0
    types: int = 0
    rules: int = 0
    names: tuple[str, ...] = ()
    #: Files that were not read, each with the reason.
    left_out: tuple[str, ...] = ()
    #: A sentence about packages whose types come with this program, `""` if there are none.
    bundled: str = ""
    #: A sentence about inputs that only schemas validate, `""` if there are none.
    unjudged: str = ""
    #: Kinds without files because of errors, each with the location of one.
    dropped: tuple[str, ...] = ()
