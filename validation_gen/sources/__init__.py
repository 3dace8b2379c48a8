"""Facts about types: reads Go packages and Python modules, without knowing any rule.

The input are paths. The output is a `Universe` of packages, types, fields, constants and comments, each with its
`Span`, and a `TypeSystem` that answers questions about them.

The room never imports or runs what it reads, never calls the `go` command, and knows no tag and no rule. Readers do not
access the file system directly: all their queries go through `recording_fs`.

Begin with `model`, the facts, then `reader`, the entry point, which calls the reader of each language.

- `languages`: one record for each language: its name, its comment marker and its file suffixes.
- `reader`: asks the finder of each language for the meaning of a command's argument.
- `go`: finds, parses and resolves Go packages, with their constants and the versions that `go.mod` names.
- `python`: does the same for modules with annotated classes, and translates them to Go's terms.
- `typesystem`: finds the underlying type, the member of a name, the name of a type in messages, and too deep nesting.
- `wellknown`: types that nearly every API mentions, as Go files that we ship. Those of `k8s.io/api` are in its folder
  `known`; `tests/sources/facts.py` extracts them.
- `customs`: finds the handwritten functions of `+k8s:customValidation` by name.
- `recording_fs`: reads files, listings and variables for the readers, and records each answer on request.
- `fs_queries`: queries of files and the environment, and answers that can be compared.
"""
