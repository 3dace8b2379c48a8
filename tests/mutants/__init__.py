"""How many small mistakes in the program the tests find: `make mutants`, not a test itself.

A mutant is the program with one small change, drawn with a seed: a comparison turned, a condition negated, a number one
off, an operand left out. The tests of its room are run on a copy of the tree; a mutant that passes them survives and is
named. What survives shows a line that no test holds, or a change that changes nothing.
"""
