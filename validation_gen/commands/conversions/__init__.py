"""Conversions of a project: checks them on drawn objects, and writes a first version.

- `run` is one check: it imports the user's module. `kinds` reads kinds with several versions, `checking` makes round
  trips, `report` is the report.
- `drawing` draws valid objects from the places that `places` makes of schemas.
- `skeleton` proposes a conversion between two versions.
"""
