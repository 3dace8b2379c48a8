"""The catalogue: what tags and markers mean.

What comes in is a `Tag` that has been parsed, with a `Context`: its scope, the type and the field. What goes out is
`Lowered`: checks of the room `ir`, deferred work, and what is opaque; or a `RuleError` with the words of Kubernetes.

A rule returns data. It says in words how schemas put its tag and builds none; it sees no Python code and no emitter,
and it never reads a file. A rule's declaration
(name, scopes, arguments, payload, documentation) is its parser and its documentation; there is no second description.

Begin with `base`, the contract of a rule, then `limits`, the simplest family. `registry` finds all rules by searching
the modules of the package, so that a new class needs no list.

- One module a family: `presence`, `limits`, `formats`, `comparison`, `enums`, `updates`, `lists`, `items`, `iteration`,
  `members`, `dependents`, `unions`, `modes`, `options`, `levels`, `opaque`, `custom`, `testing`.
- `directives`: tags that choose packages, types and requests, and check nothing.
- `releases` and `spelling`: which tags and names each release of Kubernetes has.
- `fidelity` and `differences`: how well schemas say what a tag demands.
- `refusals`: a sample of an object that a rule refuses, as its class gives it.
- `alternatives`: what to write instead of a tag that does not fit.
- `markers`: reads the comments for other generators as notes about schemas and resources. It is a catalogue of its own.
"""
