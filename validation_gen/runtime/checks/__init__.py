"""The checks that generated code calls: each takes a value and returns its errors, `None` for a valid one.

Values are well-typed here. A null value is nil for pointers, lists and maps, and passes every check of a value.

Each module names in `__all__` the functions for generated code.
"""

from validation_gen.runtime.checks import relations, values
from validation_gen.runtime.checks.relations import *
from validation_gen.runtime.checks.values import *
from validation_gen.runtime.custom import run as custom

__all__ = ["custom"]
__all__ += relations.__all__
__all__ += values.__all__
