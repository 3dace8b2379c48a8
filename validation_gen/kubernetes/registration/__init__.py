"""What the API server has against the configurations of webhooks, in its words, without a server.

Begin with `run.check`. `gotypes` has the types that configurations are decoded into, and `webhooks` what is demanded of
them. What they share with policies is in `admission`.
"""
