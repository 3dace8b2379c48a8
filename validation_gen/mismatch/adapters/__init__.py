"""Adapts existing handwritten validators, with any return value, generator or exception, to return errors.

`adapt` makes such a function. Libraries for validation are recognised and not imported. An adapter never changes the
answer of a validator; unknown parts are marked as such (`Mark.ANY_TYPE`, `ANY_ORIGIN`, `ANY_FIELD`).
"""

from validation_gen.mismatch.adapters.adapt import Adapted, adapt
from validation_gen.mismatch.adapters.subject import to_path
from validation_gen.mismatch.adapters.texts import HandwrittenError

__all__ = ["Adapted", "HandwrittenError", "adapt", "path_of", "to_path"]

#: Former name of `to_path`, kept for one release.
path_of = to_path
