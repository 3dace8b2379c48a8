"""CEL rules at their place: what one evaluates to on an object, and what servers of each release think of it.

`places` finds the schema where a rule is to stand, in a definition or guessed from an object; `trying` evaluates and
checks there. `costs` estimates what rules cost at most, `limits` how much of that comes from limits that a schema does
not have, and `measuring` counts what they cost on an object. `suites` runs tables of tests. Nothing is printed here,
and only `suites` reads files.
"""

from __future__ import annotations

from validation_gen.uses.cel.places import PlaceError, Spot, spot_in, spot_of
from validation_gen.uses.cel.trying import RELEASES, Judged, Tried, judged, span_of, tried

__all__ = ["RELEASES", "Judged", "PlaceError", "Spot", "Tried", "judged", "span_of", "spot_in", "spot_of", "tried"]
