"""Making fixes: which of those that findings have are made, what becomes of the files, and writing them.

A fix is tried before it is made: the readers look at the changed text, and a fix that brings an error, or leaves its
finding where it is, is not made. This package never decides what a fix is, and it never prints.
"""

from validation_gen.uses.fix.files import SourceFile, write
from validation_gen.uses.fix.rounds import Judge, Outcome, mend

__all__ = ["Judge", "Outcome", "SourceFile", "mend", "write"]
