"""What generated validators import, at the bottom of everything: shapes, checks, errors and the registry.

What comes in is a decoded object, with its old state and the request around it. What goes out are `FieldError`s with
the type, path, text and order of the Kubernetes API server.

It is public, and imports the standard library alone: it runs where the generator is not installed. It never prints,
reads no file of its own accord, and knows no tag but by the name that an error carries.

Begin with `registry`, the front door of a generated package, then `validator`, which validates one `kind`.

- `errors`, `paths`, `operation`, `rule`: a verdict, where it is, the request, and the declaration behind it.
- `shape`, `shapes`, `scalars`, `wire`, `views`, `instances`: what a decoded value looks like, and when two are equal.
- `checks`: the functions that generated code calls; `formats`, `names`, `quantity`, `items`, `membership` help them.
- `differences`, `memo`: what an update has found to differ, and texts that were found valid.
- `sent`: what a client sends beside what rules judge: metadata, unknown fields, the status.
- `gotext`, `gotime`, `gorandom`, `numbers`: values as Go has them and prints them.
- `texts`: the details of errors, in the words of the API server.
- `words`: numbers with nouns, and names that are like another.
- `custom`, `upstream`: handwritten checks, of users and of Kubernetes.
- `standins`, `repeats`: copies with values of the right type in the place of wrong ones; names that an object repeats.
- `compiled`, `fixtures`: for modules that are extensions, and for generated tests.
"""
