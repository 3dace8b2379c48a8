"""The quick way through a request that a server takes: one walk over the object, and one over the places of rules.

Almost all objects are right. For them Python source is made of the schema and of its rules, a function for each place,
when the place is first met. It can say one thing only, that nothing is wrong; else it raises, and the exact way, which
knows what is wrong, begins anew. So whatever is rare is no part of it.

`settling` makes the functions that check and copy, `scalars` the conditions for scalars, `places` those that run rules,
and `requests` goes through a request with them. Where native code is there, it checks and fills in by a table of the
schema (`tables`), and tells which metadata is as most is (`plain`). `keywords` is what both forms ask of a schema.
"""

from __future__ import annotations

from validation_gen.kubernetes.objects.quick.places import DOUBTS, QuickRules
from validation_gen.kubernetes.objects.quick.requests import accepted
from validation_gen.kubernetes.objects.quick.settling import Settler

__all__ = ["DOUBTS", "QuickRules", "Settler", "accepted"]
