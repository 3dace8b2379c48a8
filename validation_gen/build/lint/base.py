"""The interface of a lint rule: one class for each rule, which describes a problem and finds it on a declaration."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from validation_gen.build.lint.survey import Declaration
from validation_gen.diagnostics import Severity, Span


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of a rule about a declaration, in the terms of a `Diagnostic`.

    `span` is the tag at fault, or the name of the declaration when a tag is missing.
    """

    message: str
    span: Span
    help: str = ""
    notes: tuple[tuple[str, Span | None], ...] = ()


class LintRule(ABC):
    """A legal but wrong pattern.

    `example` and `fix` are Go declarations: with the problem, and without it.
    """

    code: ClassVar[str]
    #: A few words with dashes, for lists and tables.
    name: ClassVar[str]
    severity: ClassVar[Severity] = Severity.WARNING
    #: True if Kubernetes' own generator refuses this. A strict run does so too.
    refused_upstream: ClassVar[bool] = False
    #: True to check declarations without a tag, too.
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
