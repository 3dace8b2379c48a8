"""Names: of members in three languages, and the plural of a kind."""

from validation_gen.types.naming.members import DEVICES, attribute_name, file_word, go_name, json_name
from validation_gen.types.naming.plurals import plural_of

__all__ = ["DEVICES", "attribute_name", "file_word", "go_name", "json_name", "plural_of"]
