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
changes    by subject and case, with native code: seconds of an update, of `==` with an accept, and their ratio
stdio      by request: seconds of a bare loop for an answer, and how many times as long `stdio` takes
dense      by request: seconds of the native validators of types in which nearly each field has rules, and of
           `json.loads` of an object
cold       by subject and contender: seconds for the first verdict in a new process
commands   by script, if it has been run: the date, what jobs are compared `with`, and rows of `jobs`, each with `wall`
           and `processor` seconds, `megabytes`, and by the other the median, the least and the most
"""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any, TypeAlias

Results: TypeAlias = dict[str, Any]

FILE = Path(__file__).parent / "results.json"

#: The package with our validators, run in pure Python, and the same again for the native accept path.
PURE, NATIVE = "bench_validators", "bench_validators_native"


def known() -> Results:
    """The results that are kept."""
    found: Results = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def keep(results: Results) -> None:
    FILE.write_text(f"{json.dumps(results, indent=1, ensure_ascii=False)}\n", encoding="utf-8")


def short(number: float) -> float:
    """A number with as many digits as mean something."""
    return float(f"{number:.4g}")


def today() -> str:
    return datetime.datetime.now(datetime.timezone.utc).date().isoformat()
