"""From a program to files: Python validators, schemas, dashboards; and the files themselves.

What comes in is a `Program` of the room `ir`. What goes out is text by path, the same bytes for the same program.

An emitter never sees a source, a tag or a rule; a contract says so. It decides how something is written, never what it
means. Emitted Python is as black would leave it; black itself formats copies of handwritten functions only.

Begin with `python`, the generated package, and `python/module`, one module of it.

- `python`: writes a module for each API package, and a registry in front of them.
- `text`, `templates`: lines of Python as black leaves them, and the files that are filled in.
- `schema`: writes definitions, OpenAPI documents and JSON Schemas.
- `webhooks`: writes what a cluster needs to ask validators at admission.
- `monitoring`: writes a dashboard and alerts for the series that a comparison counts.
- `output`: brings a directory up to date, or says in what it differs; it touches no files that are not ours.
- `patches`: says a change of a file as a patch, and applies none.
- `loading`: imports a generated package from its text, and what is handwritten beside it.
"""
