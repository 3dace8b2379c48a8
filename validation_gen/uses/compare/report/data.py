"""Results as JSON: everything that other programs, and later runs of this one, want to know."""

from __future__ import annotations

import json
from typing import Any

from validation_gen.runtime.gotext import go_json
from validation_gen.uses.compare.results import Results


def render_json(results: Results) -> str:
    """The results as JSON with the keys in a fixed order, in ASCII, with a newline at the end."""
    return _dumped(results.as_json(), indent=2)


def render_json_lines(results: Results) -> str:
    """A line for each difference, those that are expected last, and at the end one with all else."""
    data = results.as_json()
    groups = data.pop("mismatches")
    return "".join(_dumped(each) for each in (*groups, data))


def _dumped(data: Any, indent: int | None = None) -> str:
    try:
        return json.dumps(data, indent=indent) + "\n"
    except RecursionError:  # an object that is nested deeper than the encoder can go: valid, if less pretty
        return go_json(data) + "\n"
