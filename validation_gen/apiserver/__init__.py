"""An API server for custom kinds, as a library: HTTP around `kubernetes/objects`.

    app = Application(SqliteStore())          # an ASGI application; in memory
    await app.start()
    await app.add([definition, obj])

It serves the kinds of CustomResourceDefinitions and some built-in ones (`core`) as a cluster does: verbs, patches,
server-side apply, watches, tables, discovery. There are no pods, no scheduler and no network.

A request takes one way: `application` finds the resource (`requests`, `lifecycle`, `calls`), negotiates the
representation (`negotiation`), and calls a verb (`reads`, `writes`, `deletes`, `streams`). `interface` has what a
resource must know about its kind: `resources`, `definitions` and `core` implement it. `storage` keeps the objects,
`admission` calls webhooks and policies, `conversion` calls webhooks of definitions, and `collector` collects garbage.
Nothing here decides whether a custom object is valid.

Each step of a request may raise `ApiError` to refuse it; docstrings name other exceptions only.
"""
