"""Writes harnesses: modules that wire handwritten functions to the generated validators, with tests that both agree.

`emit` writes them, as text by path, and never imports a handwritten function. `cases` and `testing` are what the
written tests import; they are public.
"""
