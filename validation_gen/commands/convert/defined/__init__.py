"""Converts CustomResourceDefinitions to packages of the model: a struct for each kind and each object in it.

The contents of a definition become types where a language has them, and markers elsewhere. Contents without a marker
are reported.

- `packages`: a package for each group and version of some definitions.
- `kinds`: markers for the properties of a kind beside its schema.
- `structs`: the types of a schema. It reports lost contents at their locations.
- `keywords`: the other keywords of a schema, as markers.
- `wording`: values and descriptions as lines of comments.
"""

from validation_gen.commands.convert.defined.packages import defined_packages

__all__ = ["defined_packages"]
