"""What a run of `generate` makes, before anything of it is on disk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from validation_gen.diagnostics import Diagnostic


@dataclass(frozen=True, slots=True)
class Generated:
    """The files of each emitter by path below its directory, what was noticed, and what takes part."""

    outputs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    findings: tuple[Diagnostic, ...] = ()
    packages: int = 0
    types: int = 0
    rules: int = 0
    names: tuple[str, ...] = ()
    #: Files that were not read, each with the reason.
    left_out: tuple[str, ...] = ()
    #: A sentence about packages the types of which are those that come with this program, `""` if there are none.
    bundled: str = ""
    #: A sentence about what was read and is judged by schemas only, `""` if there is nothing of the kind.
    unjudged: str = ""
    #: The kinds that the files go without because of errors, each with the place of one.
    dropped: tuple[str, ...] = ()
