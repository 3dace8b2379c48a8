"""What the API server has against the configurations of webhooks, in its words, without a server.

Begin with `run.check`. `gotypes` has the types that configurations are decoded into, `webhooks` what is demanded of
them, `conditions` the expressions in them, and `environment` what these may name.
"""
