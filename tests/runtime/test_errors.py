"""Errors as values: they can be copied and sent to other processes."""

from __future__ import annotations

import copy
import pickle

from tests.tables import each
from validation_gen.runtime.errors import ErrorType, FieldError, Inlined, Mark


@each("value", [None, True, -1, 1.5, "é", ["a"], {"a": [1]}])
def test_copies_and_pickles_are_equal(value: object) -> None:
    error = FieldError(ErrorType.INVALID, value, "is odd", "maximum", "[0]", Inlined("Meta"), ".a", json_string=True)
    error = error.alpha().marked(Mark.SCHEMA)
    for other in (copy.copy(error), copy.deepcopy(error), pickle.loads(pickle.dumps(error))):
        assert (str(other), other.place, other.as_dict()) == (str(error), error.place, error.as_dict())
        assert (other.marks, other.json_string) == (error.marks, error.json_string)
