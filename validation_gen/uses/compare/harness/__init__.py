"""`--emit harness`: modules that wire handwritten functions to the generated validators, with tests that both agree.

`emit` writes them. `cases` and `testing` are what the written tests import.
"""
