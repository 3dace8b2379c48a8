"""What results are: JSON, as `suite` makes it and `report`, `goals` and `compare` read it. Knows no contender.

about      when, where, and with which versions
agreement  by subject: how many objects were judged, and how many were invalid
titles     by contender: its title, what it reports, and types of errors that it cannot know
times      by subject, case and contender: seconds, the ratio to `ours` with its quartiles, and the one to its own
           time for a valid object
updates    contenders that know updates
growth     by package and case: seconds for a short list and for one ten times as long, and their ratio
import     seconds to import the largest generated module, and its lines
engine     custom objects and rules of CEL: seconds of ours and of another, and how many times as long the other takes
generator  if somebody has measured it, `seconds` and `megabytes` by what is asked of the generator: `python` (bare),
           `help`, `version`, `cold`, `again`, `check`
"""

from __future__ import annotations

from typing import Any, TypeAlias

Results: TypeAlias = dict[str, Any]

#: The package with our validators, run in pure Python, and the same again for the native accept path.
PURE, NATIVE = "bench_validators", "bench_validators_native"
