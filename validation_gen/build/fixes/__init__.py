"""Fixes for findings: the intended text of a line, where it is unambiguous.

This stage reads findings and the comments around them. It never changes a file, and it never guesses: a finding whose
fix is a matter of opinion has only advice.
"""

from validation_gen.build.fixes.propose import propose

__all__ = ["propose"]
