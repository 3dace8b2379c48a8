"""Writes admission policies of a program: the rules of each kind in CEL, over the whole object and the old one.

The input is a `Program`; the outputs are policies with their bindings as text by path, a table of rules that only
validators check, and findings about it. No module here knows a tag.

- `value_ref` describes a value: the loops around it, and its CEL expressions in the new and in the old object.
- `walk` goes through the checks of a type as the validators do; `single` and `changes` translate them, and `fields`
  writes conditions on one field.
- `messages` builds the API server's error texts, `findings` reports rules that only validators check.
- `defaults` makes policies that fill in defaults.
- `budget` drops rules that are too expensive, and splits policies; `documents` makes objects.
"""
