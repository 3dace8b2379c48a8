"""Fast path for requests that a server accepts: one walk over the object, and one over the places of rules.

Almost all objects are valid. For them Python source is generated from the schema and its rules, a function for each
place, at its first use. It can only conclude that nothing is wrong; else it raises, and the exact path, which finds the
errors, starts anew. So rare cases are not supported.

`settling` makes the functions that check and copy, `scalars` the conditions for scalars, `places` those that run rules,
and `requests` handles a request with them. If native code is available, it checks and fills in by a table of the schema
(`tables`), and recognizes common metadata (`plain`). `keywords` has the facts about a schema that both forms need.
"""

from __future__ import annotations

from validation_gen.kubernetes.objects.quick.places import DOUBTS, QuickRules
from validation_gen.kubernetes.objects.quick.requests import accepted
from validation_gen.kubernetes.objects.quick.settling import Settler

__all__ = ["DOUBTS", "QuickRules", "Settler", "accepted"]
