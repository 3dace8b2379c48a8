"""Replays the validation of one object: for each check in order whether it ran, its errors, or why it was skipped.

The errors come from the generated validators alone. `walk` goes through the program beside the object, assigns each
error to its check, and finds out why others were skipped; `values` has objects as Go decodes them, `ledger` holds the
errors until they are assigned, `record` is the output, `text` renders it. Nothing is printed here.
"""
