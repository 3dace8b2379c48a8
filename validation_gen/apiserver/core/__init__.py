"""Built-in kinds: namespaces, configmaps, secrets, events, service accounts, leases, webhooks, policies and reviews.

`kinds.json` has the resources, `types.json` their Go types, and `types` reads both; `texts.json` has descriptions.
`resource` is a kind as a resource, `rules` has the checks that no schema expresses, `columns` the cells of tables, and
`namespaces` the life cycle of namespaces. `reviews` answers questions about access. There are no pods, services or
nodes.
"""
