"""Conversions of a project, proved on drawn objects, and begun for it.

- `run` is one check: it imports the user's module. `kinds` reads what has versions, `checking` goes there and back,
  `told` is the report.
- `drawing` draws valid objects, of the places that `places` makes of schemas. `fields` names what they have.
- `skeleton` proposes a conversion between two versions, and `pytests` writes the check as a test.
"""
