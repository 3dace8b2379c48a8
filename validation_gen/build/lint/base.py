"""The contract of a lint rule: one class a rule, which says what it is against and finds it on a declaration."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from validation_gen.build.lint.survey import Declaration
from validation_gen.diagnostics import Severity, Span


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule has against a declaration, in the terms of a `Diagnostic`.

    `span` is the tag at fault, or the name of the declaration when a tag is missing.
    """

    message: str
    span: Span
    help: str = ""
    notes: tuple[tuple[str, Span | None], ...] = ()


class LintRule(ABC):
    """Something that is legal and still wrong.

    `example` and `fix` are Go declarations: what the rule is against, and the same without it.
    """

    code: ClassVar[str]
    #: A few words with dashes, for lists and tables.
    name: ClassVar[str]
    severity: ClassVar[Severity] = Severity.WARNING
    #: Whether Kubernetes' own generator refuses this. A strict run does so too.
    refused_upstream: ClassVar[bool] = False
    #: Whether declarations without a tag are shown to the rule too.
    of_untagged: ClassVar[bool] = False
    #: One sentence: why it is bad.
    reason: ClassVar[str]
    example: ClassVar[str]
    fix: ClassVar[str]

    def severity_in(self, *, strict: bool) -> Severity:
        return Severity.ERROR if strict and self.refused_upstream else self.severity

    @abstractmethod
    def check(self, declaration: Declaration) -> Iterator[Finding]:
        """The findings on a type or field with tags. Each declaration is shown to each rule once."""
