"""`python -m validation_gen.explain [DIRECTORY]`: brings what is generated in docs/ up to date."""

from __future__ import annotations

import sys
from pathlib import Path

from validation_gen.explain.documents import pages, with_releases


def main(directory: Path) -> None:
    for name, text in pages().items():
        (directory / name).write_text(text, encoding="utf-8")
    page = directory / "compatibility.md"
    page.write_text(with_releases(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(Path(*sys.argv[1:] or ["docs"]))
