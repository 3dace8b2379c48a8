"""Turns names of members into those of Python, JSON and Go, and makes the plural of a kind.

`members` has the names, `plurals` the plural. Names come in and go out as text; no type is known here.
"""

from validation_gen.types.naming.members import DEVICES, attribute_name, file_word, go_name, json_name
from validation_gen.types.naming.plurals import plural_of

__all__ = ["DEVICES", "attribute_name", "file_word", "go_name", "json_name", "plural_of"]
