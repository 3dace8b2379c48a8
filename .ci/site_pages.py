"""Adds pages to the site and adapts those of docs/: a hook of mkdocs, named by mkdocs.yml.

README.md and two other files of the top level become pages, and so do the reference pages that the program generates.
Links are written as GitHub follows them, and become those of the site; a link out of the documentation becomes text.
A link whose text is the name of a file shows the page's title in the navigation.
Comments for the tests of blocks are removed; the name of a block's file becomes its title.
"""

from __future__ import annotations

import posixpath
import re
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from mkdocs.structure.files import File, Files

sys.path.insert(0, posixpath.dirname(__file__))

import site_reference

#: Files of the top level by the page that they become.
PAGES = {"overview.md": "README.md", "changelog.md": "CHANGELOG.md", "contributing.md": "CONTRIBUTING.md"}

_COMMENT = re.compile(r"<!-- /?([\w-]+)(?:: (.*))? -->")
_FILE = re.compile(r"(?:docs/)?[\w-]+\.md")
_LINK = re.compile(r"\[([^][]*(?:\[[^][]*\][^][]*)*)\]\(([^)\s]+)\)")


def on_files(files: Files, config: Any) -> Files:
    """Adds the pages of the top level and the generated ones."""
    for page, source in PAGES.items():
        with open(posixpath.join(posixpath.dirname(config.config_file_path), source), encoding="utf-8") as file:  # noqa: PTH123
            files.append(File.generated(config, page, content=file.read()))
    for page, text in site_reference.pages().items():
        files.append(File.generated(config, page, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, **_: Any) -> str:
    """The text of a page as the site shows it."""
    name = page.file.src_uri
    return for_site(markdown, PAGES.get(name, f"docs/{name}"), dict(titles(config["nav"])))


def titles(nav: Any) -> Iterator[tuple[str, str]]:
    """Pages, and what the navigation calls them."""
    for entry in nav:
        for title, below in entry.items():
            if isinstance(below, str):
                yield below, title
            else:
                yield from titles(below)


def for_site(markdown: str, source: str, titles: Mapping[str, str]) -> str:
    """The text of the file `source`, whose path begins at the top level."""
    shown = []
    title = ""
    inside = False
    for line in markdown.splitlines():
        comment = _COMMENT.fullmatch(line.strip())  # in a list, blocks are indented
        if line.lstrip().startswith("```"):
            inside = not inside
            shown.append(f'{line} title="{title}"' if inside and title else line)
            title = ""
        elif inside:
            shown.append(line)
        elif comment:
            title = comment[2].partition(",")[0] if comment[1] in ("file", "into") else title
        else:
            shown.append(line)
    # A link may go on in the next line, and what looks like one in a block is none.
    parts = re.split(r"(^```.*?^```$)", "\n".join(shown) + "\n", flags=re.DOTALL | re.MULTILINE)
    return "".join(
        part if part.startswith("```") else _LINK.sub(lambda m: _link(m, source, titles), part) for part in parts
    )


def _link(match: re.Match[str], source: str, titles: Mapping[str, str]) -> str:
    text, target = match[1], match[2]
    path, _, anchor = target.partition("#")
    if "://" in target or not path:
        return match[0]
    path = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
    page = {file: name for name, file in PAGES.items()}.get(path) or path.removeprefix("docs/")
    if page == path:
        return text
    if _FILE.fullmatch(text):
        text = titles.get(page, text)
    here = posixpath.dirname(source.removeprefix("docs/")) or "."
    return f"[{text}]({posixpath.relpath(page, here)}{'#' if anchor else ''}{anchor})"
