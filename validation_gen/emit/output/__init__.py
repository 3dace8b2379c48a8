"""Writes files: generated files of a directory, files of users that are to change, and files that they name.

Files of our own state (cache, trust, metrics) are written by their modules, and a first configuration by `cli/init`.

`root` is one directory in which files are read, replaced and removed: by no name that leads out of it, and through no
link inside it. `files` updates an output directory, and `owned` changes files of users, writes single files that they
have named, and keeps apart the packages of several APIs. Except for the package list of a registry, nothing here
interprets the text.
"""

from validation_gen.emit.output.files import (
    Compared,
    Written,
    compare_files,
    refuse_others,
    report_invalid_names,
    write_files,
)
from validation_gen.emit.output.owned import (
    compare_owned,
    is_of_another_api,
    is_within,
    open_to_append,
    remove_file,
    replace_file,
    replace_files,
)
from validation_gen.emit.output.root import JSON_KEYS, JSON_MARKER, MARKER, RefusedError, Root, is_ours

__all__ = [
    "JSON_KEYS",
    "JSON_MARKER",
    "MARKER",
    "Compared",
    "RefusedError",
    "Root",
    "Written",
    "compare_files",
    "compare_owned",
    "is_of_another_api",
    "is_ours",
    "is_within",
    "open_to_append",
    "refuse_others",
    "remove_file",
    "replace_file",
    "replace_files",
    "report_invalid_names",
    "write_files",
]
