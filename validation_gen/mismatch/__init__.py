"""The run-time library that compares handwritten validation with declarative validation, request by request.

It needs nothing but Python, like the validators themselves; metrics need `prometheus-client` (extra `[metrics]`).
"""
