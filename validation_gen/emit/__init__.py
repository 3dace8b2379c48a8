"""Writes files from a program: Python validators, schemas, dashboards; and puts them on disk.

The input is a `Program` of the room `ir`. The output is text by path, the same bytes for the same program.

An emitter never sees a source, a tag or a rule; a contract enforces that. It decides the form of the output, never its
meaning. Emitted Python is formatted as by black; black itself formats copies of handwritten functions only.

Begin with `python`, the generated package, and `python/module`, one module of it.

- `python`: writes a module for each API package, and a registry in front of them.
- `text`: lines of Python in black's format, template files, and patches.
- `checkwalk`: chooses the checks that count, for schemas and policies.
- `schema`: writes definitions, OpenAPI documents and JSON Schemas.
- `policies`: writes admission policies, with the rules in CEL.
- `webhooks`: writes the manifests for validators at admission.
- `monitoring`: writes a dashboard and alerts for the series that a comparison counts.
- `output`: updates a directory, or compares it; it never touches foreign files.
- `loading`: imports a generated package from its text, with the handwritten code beside it.
"""
