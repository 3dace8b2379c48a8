"""Replays the validation of one object: for each check in order whether it ran, what it gave, or why it was left out.

The errors are those of the generated validators and of nobody else. `walk` goes through the program beside the object
and says which check each error is from, and why others were not asked; `values` knows objects as Go does, `ledger`
keeps the errors until their check comes by, `record` is what is told, `text` lays it out. Nothing is printed here.
"""
