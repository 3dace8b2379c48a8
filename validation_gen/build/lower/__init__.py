"""Lowers a universe of types to a validation program: walks the types, asks the catalogue, settles deferred checks.

What comes in is a `Universe` of the room `sources`; what goes out is a `Program` of the room `ir`. The stage never
decides what a single tag means: it hands each tag with its context to the rule, and puts the checks that come back in
the order of Kubernetes. Nothing but `lower_program` is for others.

- `program`: the whole way. `selection` chooses packages and kinds, `walk` goes down types and fields.
- `comments` reads the tags of a declaration, `demands` applies each of them, `notes` asks for what markers say.
- `shapes` says what a decoded value looks like, `refusals` which types Kubernetes does not validate.
- `unknown` deals with types that cannot be found, `apinames` with wrong groups and versions.
- `advice`, `consequences` and `unjudged` make findings readable: what to write instead, what follows from what, and how
  much is judged by schemas only.
"""

from validation_gen.build.lower.program import lower_program

__all__ = ["lower_program"]
