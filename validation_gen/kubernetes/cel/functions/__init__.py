"""Implementations of CEL functions, by library of cel-go and of the API server.

Each function takes and returns Python values (see `values`), and raises `EvaluationError` with upstream's text. None
knows a type of an expression, or a cost.
"""
