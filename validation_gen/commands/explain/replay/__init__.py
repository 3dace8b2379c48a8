"""Replays the validation of one object: for each check in order whether it ran, its errors, or why it was skipped.

The generated validators run as traced code, which reports each check to its operation (`record`). `records` visits the
program beside the object, whose values `values` finds, and finds out why the other checks were skipped. `run` does
both, and renders the output. Nothing is printed here.
"""
