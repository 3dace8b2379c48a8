"""Writing files: what is generated into a directory, files of people that are to change, and files that they name.

Not through here go the files of our own state (kept results, trust, metrics), which their modules write, and a first
configuration, which `cli/init` creates.

`root` is one directory below which files are read, replaced and removed: by no name that leads out of it, and through
no link inside it. `names` says which names files may have. `marks` knows generated files by how they begin, and `apis`
tells those of one API from those of another. On these stand `files`, which brings an output directory up to date, and
`owned`, which changes files of people and writes single files that they have named. But for the packages that a
registry lists, nothing here knows what the text means.
"""

from validation_gen.emit.output.apis import is_of_another_api
from validation_gen.emit.output.files import Compared, Written, compare_files, misnamed, refuse_others, write_files
from validation_gen.emit.output.marks import JSON_KEYS, JSON_MARKER, MARKER, is_ours
from validation_gen.emit.output.owned import (
    compare_owned,
    is_within,
    open_to_append,
    remove_file,
    replace_file,
    replace_files,
)
from validation_gen.emit.output.root import RefusedError, Root

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
    "misnamed",
    "open_to_append",
    "refuse_others",
    "remove_file",
    "replace_file",
    "replace_files",
    "write_files",
]
