"""Catalogue of the meaning of tags and markers.

The input is a parsed `Tag` with a `Context`: its scope, the type and the field. The output is `RuleOutput`: checks of
the room `ir`, deferred work, and opaque types; or a `RuleError` with the words of Kubernetes.

A rule returns data. It describes its form in schemas in words and builds none; it sees no Python code and no emitter,
and it never reads a file. A rule's declaration (name, scopes, arguments, payload, documentation) is its parser and its
documentation; there is no second description.

Begin with `base`, the interface of a rule, then `limits`, the simplest family. `registry` finds all rules by searching
the modules of the package, so that a new class needs no list.

- One module a family: `presence`, `limits`, `formats`, `comparison`, `enums`, `updates`, `lists`, `items`, `iteration`,
  `members`, `unions`, `modes`, `levels`, `custom`.
- `directives`: tags that choose packages, types and requests, and check nothing.
- `releases` and `spelling`: the tags and names of each release of Kubernetes.
- `differences`: how well schemas express a tag, and samples of objects that it refuses.
- `markers`: reads the comments for other generators as notes about schemas and resources. It is a catalogue of its own.
"""
