"""Lowers a universe of types to a validation program: walks the types, applies the catalogue, resolves deferred checks.

The input is a `Universe` of the room `sources`; the output is a `Program` of the room `ir`. The stage never decides the
meaning of a single tag: it passes each tag with its context to the rule, and puts the resulting checks in the order of
Kubernetes. Only `lower_program` is public.

- `program`: the whole stage. `selection` chooses packages and kinds, `walk` goes down types and fields.
- `comments` reads the tags of a declaration, `declarations` applies each of them, and refuses types that Kubernetes
  does not validate; `notes` reads markers.
- `shapes` describes decoded values, `apinames` checks groups and versions, `optionnames` validation options.
- `unknown` handles unresolved types, and merges follow-ups of findings; `unjudged` counts the markers that only schemas
  check.
"""

from validation_gen.compiler.lower.program import lower_program

__all__ = ["lower_program"]
