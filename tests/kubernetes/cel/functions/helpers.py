"""What the tests of functions share."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from validation_gen.kubernetes.cel.values import EvaluationError


def error_of(call: Callable[[], object]) -> str:
    """The message of the error that a call ends with."""
    with pytest.raises(EvaluationError) as error:
        call()
    return error.value.message
