"""Fixes for findings: what a line must have been meant to say, where nobody would have to think about it.

This stage looks at findings and at the comments in which they stand. It never changes a file, and it never guesses: a
finding whose fix is a matter of opinion has advice and nothing else.
"""

from validation_gen.build.fixes.propose import propose

__all__ = ["propose"]
