"""Rules about rules: tags that are legal, but that their author will probably regret.

This stage reads the sources and the finished program and reports. It never changes either, and it says nothing of tags
that cannot be generated for: those have been refused already.
"""

from validation_gen.build.lint.registry import lint_rules
from validation_gen.build.lint.run import lint

__all__ = ["lint", "lint_rules"]
