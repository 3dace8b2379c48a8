"""Lint rules: legal tags that their author will probably regret.

This stage reads the sources and the finished program and reports. It never changes either, and it skips tags with
errors, which have been reported already.
"""

from validation_gen.compiler.lint.registry import lint_rules
from validation_gen.compiler.lint.run import lint

__all__ = ["lint", "lint_rules"]
