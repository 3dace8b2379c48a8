"""Reads the inputs of a comparison: objects, requests of the line protocol, audit logs, in any container.

Reading has two stages, so that all cores have work. `Inputs.read_items` runs in one process and cuts files into pieces
without parsing them, as far as that is possible; `parse_item` runs anywhere and turns a piece into requests. Nothing
here validates, and no content of a file raises an exception.
"""

from __future__ import annotations

from validation_gen.commands.compare.inputs.decoding import Bad, Item
from validation_gen.commands.compare.inputs.parsing import parse_item
from validation_gen.commands.compare.inputs.reading import BEHIND, Inputs
from validation_gen.commands.compare.inputs.trail import sentences

__all__ = ["BEHIND", "Bad", "Inputs", "Item", "parse_item", "sentences"]
