"""Conversions between the versions of a kind: declared as moves or as functions, and made without loss.

    from validation_gen.conversions import Conversion, Converter, Move, Only

    converter = Converter([
        Conversion("v1alpha1", "v1", kind="Robot", moves=[
            Move("spec.size", "spec.dimensions.size"),
            Only("v1", "spec.homeDock"),
        ]),
    ])
    converter.convert(robot, "example.com/v1")

What a version cannot hold is kept in the annotation `KEPT`, and restored unless it was changed meanwhile.

- `declared`: `Conversion`, and `converts` for functions. `moves` are what a conversion is made of, `moving` makes them,
  `paths` are the fields that they name.
- `converter`: finds the way between two versions, and goes it.
- `kept`: what is lost on a way, and how it is restored; `annotation` is where it is meanwhile.
- `metadata`: what a conversion may not change.

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
