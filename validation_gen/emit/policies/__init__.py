"""Writes admission policies of a program: the rules of each kind in CEL, over the whole object and the old one.

What comes in is a `Program`; what goes out are policies with their bindings as text by path, a table of what stays with
validators, and findings about it. No module here knows a tag.

- `places` is where a value stands: the loops around it, how CEL reaches it in the new and in the old object.
- `walk` goes through the checks of a type as the validators do, `tests`, `changes` and `members` say single checks.
- `equality` says that a value is what it was, `messages` what the API server would say of one that fails.
- `defaults` makes policies that fill in what is absent.
- `budget` leaves out what could cost too much, and parts what does not fit into one policy; `documents` makes objects.
"""
