"""Errors of the API server for the configurations of webhooks, in its words, without a server.

Begin with `run.check`. `gotypes` has the types that configurations are decoded into, and `webhooks` the checks of one
webhook. The parts that policies share are in `admission`.
"""
