"""The interface of a lint rule, and all rules by code.

A rule is a class that describes a problem and finds it on a declaration. Rules register themselves with `@register`;
the modules of `validation_gen.compiler.lint.rules` are found by listing, so a new family only needs a new module.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from validation_gen.compiler.lint.survey import Declaration
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
        """Yields the findings on a type or field with tags. Each declaration is shown to each rule once."""


_rules: dict[str, LintRule] = {}


def register(rule: type[LintRule]) -> type[LintRule]:
    """Adds a rule.

    Raises:
        ValueError: the code is taken. This is a mistake in the rules, never of a user.
    """
    if rule.code in _rules:
        raise ValueError(f"lint rule {rule.code} is registered twice")
    _rules[rule.code] = rule()
    return rule


@functools.cache
def lint_rules() -> dict[str, LintRule]:
    """Returns all rules in the order of their codes."""
    package = importlib.import_module("validation_gen.compiler.lint.rules")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return dict(sorted(_rules.items()))
