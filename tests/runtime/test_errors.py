"""Errors as values: they can be copied and sent to other processes."""

from __future__ import annotations

import copy
import json
import pickle

from tests.tables import each
from validation_gen.runtime.errors import OMITTED, ErrorType, FieldError, Inlined, Mark


@each("value", [None, True, -1, 1.5, "é", ["a"], {"a": [1]}, OMITTED, "<value omitted>"])
def test_copies_and_pickles_are_equal(value: object) -> None:
    error = FieldError(ErrorType.INVALID, value, "is odd", "maximum", "[0]", Inlined("Meta"), ".a", json_string=True)
    error = error.alpha().marked(Mark.SCHEMA)
    for other in (copy.copy(error), copy.deepcopy(error), pickle.loads(pickle.dumps(error))):
        assert (str(other), other.place, other.as_dict()) == (str(error), error.place, error.as_dict())
        assert (other.marks, other.json_string) == (error.marks, error.json_string)


def test_omitted_values_stay_out_of_texts() -> None:
    """A value of the same text is one that an object has, and is shown."""
    error, other = (FieldError(ErrorType.INVALID, value, "is odd", "", ".a") for value in (OMITTED, "<value omitted>"))
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        texts = [str(pickle.loads(pickle.dumps(each, protocol))) for each in (error, other)]
        assert texts == ["a: Invalid value: is odd", 'a: Invalid value: "<value omitted>": is odd']
    assert str(copy.deepcopy([error])[0]) == "a: Invalid value: is odd"
    assert copy.copy(OMITTED) is copy.deepcopy(OMITTED) is pickle.loads(pickle.dumps(OMITTED)) is OMITTED
    assert type(error.as_dict()["badValue"]) is str
    assert json.dumps(error.as_dict()["badValue"]) == '"<value omitted>"'
