"""`python -m validation_gen.commands.explain`: regenerates the vocabulary and a table in docs/ from the catalogue."""

from __future__ import annotations

from pathlib import Path

from validation_gen import tags
from validation_gen.commands.explain.documents import with_releases
from validation_gen.commands.explain.tags import FILE, errors
from validation_gen.commands.explain.vocabulary import render_errors, vocabulary
from validation_gen.emit.output import replace_file


def main(directory: Path, module: Path) -> None:
    """Writes the table in a page of the directory, and the module with the classes of the tags."""
    page = directory / "compatibility.md"
    replace_file(page, with_releases(page.read_text(encoding="utf-8")).encode())
    replace_file(module, vocabulary().encode())


def write_errors(file: Path) -> None:
    """Writes the results of the samples of tags, and clears their cache."""
    replace_file(file, render_errors().encode())
    errors.cache_clear()


if __name__ == "__main__":
    write_errors(FILE)
    main(Path("docs"), Path(tags.__file__))
