"""Writes harnesses: modules that wire handwritten functions to the generated validators, with tests of both.

`emit` writes them, as text by path, and never imports a handwritten function. The written tests import `cases` and
`testing`, which are public.
"""
