"""The imports of generated validators, the lowest layer: shapes, checks, errors and the registry.

The input is a decoded object, with its old state and the request. The output is a list of `FieldError`s with the type,
path, text and order of the Kubernetes API server.

It is public, and imports the standard library alone: it runs where the generator is not installed. It never prints,
reads no file of its own accord, and knows tags only by the names in errors.

Begin with `registry`, the entry point of a generated package, then `validator`, which validates one `kind`.

- `errors`, `paths`, `operation`, `rule`: an error, its path, the request, and the violated declaration.
- `shape`, `shapes`, `scalars`, `wire`, `views`, `instances`: the types of decoded values and their equality.
- `checks`: the functions that generated code calls; `formats`, `names`, `quantity`, `items`, `membership` help them.
- `differences`, `names`: caches of differences found by an update, and of valid texts.
- `sent`: checks beside the rules: metadata, unknown fields, the status.
- `goregex`: reads patterns as Go does, and runs them in linear time.
- `gotext`, `gotime`: values as Go has them and prints them.
- `texts`: the details of errors, in the words of the API server.
- `words`: numbers with nouns, and similar names.
- `custom`, `upstream`: handwritten checks, of users and of Kubernetes.
- `repeats`: duplicate names in an object.
- `levels`: removes errors of rules that are not enforced.
- `native`, `fastpath`, `quickschema`, `quickyaml`: native code, and the tables that it walks.
- `fixtures`: support for generated tests.
"""
