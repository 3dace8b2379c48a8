"""Applies the fixes of findings: selects them, tests the changed files, and writes them.

A fix is tested before it is applied: the readers read the changed text, and a fix that causes an error, or does not
remove its finding, is refused. This package never creates fixes, and it never prints.
"""

from validation_gen.commands.fix.files import SourceFile, write
from validation_gen.commands.fix.rounds import Judge, Outcome, mend

__all__ = ["Judge", "Outcome", "SourceFile", "mend", "write"]
