"""What a change of an API's sources means for its clients and for objects that are stored.

Two states of the sources become two programs; they are walked side by side, from each kind down every JSON path. What
differs is a `Change`, and a change becomes a finding. Nothing here knows a tag: programs have rules as data.
"""
