"""All facts about types: what Go packages and Python modules say, before anybody knows a rule.

What comes in are paths. What goes out is a `Universe` of packages, types, fields, constants and comments, each with the
`Span` where it stands, and a `TypeSystem` that answers questions about them.

The room never imports or runs what it reads, never calls the `go` command, and knows no tag and no rule. Readers open
no file by themselves: all their questions to the system go through `recorded`.

Begin with `model`, the facts, then `reader`, the entry point, which asks the reader of each language.

- `languages`: one record for each language: its name, its sign for comments, and from `suffixes` how its files end.
- `arguments`: asks the finder of each language what an argument of a command means.
- `go`: finds, parses and resolves Go packages, with their constants and the versions that `go.mod` names.
- `python`: does the same for modules with annotated classes, and says it in Go's terms.
- `typesystem`: answers what is underneath a type, which member a name means, how to name a type in a message.
- `nesting`: says which types are nested too deeply to be looked at.
- `wellknown`: types that nearly every API mentions, as Go files that we ship; `known` and `facts`: those of
  `k8s.io/api`.
- `customs`: finds the handwritten functions of `+k8s:customValidation` by name.
- `recorded`: reads files, listings and variables for the readers, and notes each answer when somebody wants to know.
- `questions`: what can be asked of files and the environment, and answers that can be compared.
- `display`: says how files are named in messages.
"""
