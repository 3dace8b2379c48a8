"""Results as JSON: everything that other programs, and later runs of this one, want to know."""

from __future__ import annotations

import json

from validation_gen.compare.results import Results
from validation_gen.runtime.gotext import go_json


def render_json(results: Results) -> str:
    """The results as JSON with the keys in a fixed order, in ASCII, with a newline at the end."""
    data = results.as_json()
    try:
        return json.dumps(data, indent=2) + "\n"
    except RecursionError:  # an object that is nested deeper than the encoder can go: valid, if less pretty
        return go_json(data) + "\n"
