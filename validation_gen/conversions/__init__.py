"""Conversions between the versions of a kind: declared as moves or as functions, and made without loss.

    from validation_gen.conversions import Conversion, Converter, Move, Only

    converter = Converter([
        Conversion("v1alpha1", "v1", kind="Robot", moves=[
            Move("spec.size", "spec.dimensions.size"),
            Only("v1", "spec.homeDock"),
        ]),
    ])
    converter.convert(robot, "example.com/v1")

Values that a version cannot represent are kept in the annotation `KEPT`, and restored unless they have been changed.

- `declared`: `Conversion`, and `converts` for functions. `moves` are the parts of a conversion, `paths` the paths of
  their fields.
- `converter`: finds the steps between two versions, and runs them.
- `kept`: finds and restores lost values; `annotation` stores them in between, and protects other metadata.
- `values`: copies and compares decoded JSON. `errors` has the exceptions.

Programs import this at run time: it needs the standard library and `validation_gen.runtime` alone.
"""

from __future__ import annotations

from validation_gen.conversions.annotation import KEPT
from validation_gen.conversions.converter import Converter, Loss, declares
from validation_gen.conversions.declared import Conversion, Way, converts
from validation_gen.conversions.errors import ConversionError, DeclarationError
from validation_gen.conversions.moves import AnyMove, Apply, Constant, Default, Move, Only, Rename, Split, Values, Wrap

__all__ = [
    "KEPT",
    "AnyMove",
    "Apply",
    "Constant",
    "Conversion",
    "ConversionError",
    "Converter",
    "DeclarationError",
    "Default",
    "Loss",
    "Move",
    "Only",
    "Rename",
    "Split",
    "Values",
    "Way",
    "Wrap",
    "converts",
    "declares",
]
