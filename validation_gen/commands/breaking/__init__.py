"""Finds the effects of an API change on clients and stored objects.

Two states of the sources become two programs, which are compared side by side, from each kind down every JSON path.
Each difference is a `Change`, and a change becomes a finding. The comparison reads rules as data and does not know
tags.
"""
