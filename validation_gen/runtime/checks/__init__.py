"""The checks that generated code calls: each takes a value and returns its errors, `None` for a valid one.

Values are well-typed here. A null value is nil for pointers, lists and maps, and passes every check of a value.

Each module names in `__all__` the functions for generated code.
"""

from validation_gen.runtime.checks import lists, options, presence, testing, unions, updates, values
from validation_gen.runtime.checks.lists import *
from validation_gen.runtime.checks.options import *
from validation_gen.runtime.checks.presence import *
from validation_gen.runtime.checks.testing import *
from validation_gen.runtime.checks.unions import *
from validation_gen.runtime.checks.updates import *
from validation_gen.runtime.checks.values import *
from validation_gen.runtime.custom import run as custom

__all__ = ["custom"]
__all__ += lists.__all__
__all__ += options.__all__
__all__ += presence.__all__
__all__ += testing.__all__
__all__ += unions.__all__
__all__ += updates.__all__
__all__ += values.__all__
