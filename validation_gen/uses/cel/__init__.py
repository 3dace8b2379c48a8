"""CEL rules at their place: what one evaluates to on an object, and what servers of each release think of it.

`places` finds the schema where a rule is to stand, in a definition or guessed from an object; `trying` evaluates and
checks there. Nothing is read or printed here.
"""

from __future__ import annotations

from validation_gen.uses.cel.places import PlaceError, Spot, spot_in, spot_of
from validation_gen.uses.cel.trying import Judged, Tried, judged, tried

__all__ = ["Judged", "PlaceError", "Spot", "Tried", "judged", "spot_in", "spot_of", "tried"]
