"""All lint rules by code.

Rules register themselves with `@register`; the modules of `validation_gen.build.lint.rules` are found by looking, so a
new family is a new module and nothing else.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil

from validation_gen.build.lint.base import LintRule

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
    package = importlib.import_module("validation_gen.build.lint.rules")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return dict(sorted(_rules.items()))
