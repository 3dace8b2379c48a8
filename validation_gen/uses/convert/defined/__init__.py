"""CustomResourceDefinitions as packages of the model: a struct for each kind and for each object within it.

What a definition says becomes types where a language has them, and else markers. What no marker says is reported.

- `packages`: a package for each group and version of some definitions.
- `kinds`: what a definition says of a kind beside its schema, as markers.
- `structs`: the types of a schema.
- `keywords`: the other keywords of a schema, as markers.
- `losses`: what is not said, told where it stands.
- `wording`: values and descriptions as lines of comments.
"""

from validation_gen.uses.convert.defined.packages import defined_packages

__all__ = ["defined_packages"]
