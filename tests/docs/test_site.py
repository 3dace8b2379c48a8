"""The site: built from scratch with every warning an error, and asked what its pages fetch and where links lead.

Needs the extra `docs`. Where that is missing the tests are skipped; `VALIDATION_GEN_SITE_TEST=required` turns the skip
into a failure.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT

pytestmark = pytest.mark.slow  # it builds the site twice; `.ci/run` installs what that needs

_SOURCES = (
    "mkdocs.yml",
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "docs",
    ".ci/site_articles.py",
    ".ci/site_pages.py",
    ".ci/site_reference.py",
)


class Elements(HTMLParser):
    """The start tags of a page, and the ids that links can name."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.ids: set[str] = set()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.found.append((tag, attributes))
        self.ids |= {attributes[name] for name in ("id", "name") if name in attributes}


def build(sources: Path, into: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", str(sources / "mkdocs.yml"), "-d", str(into)],
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1", "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture(scope="module")
def installed() -> None:
    if not all(importlib.util.find_spec(name) for name in ("mkdocs", "material")):
        reason = "mkdocs is missing: install the extra `docs` to test the site"
        if os.environ.get("VALIDATION_GEN_SITE_TEST") == "required":
            pytest.fail(reason)
        pytest.skip(reason)


@pytest.fixture(scope="module")
def site(installed: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, with a few links more on its first page."""
    directory = tmp_path_factory.mktemp("site")
    sources = _copied(directory / "copy")
    text = "See [the list\nof tags](tags.md), [`LICENSE`](../LICENSE) and [changes](../CHANGELOG.md).\n\n"
    example = "[tags.md](tags.md)\n\n<!-- file: a.go -->\n```go\nx := y[1](z) // [not](a.md)\n```\n"
    with (sources / "docs" / "index.md").open("a", encoding="utf-8") as page:
        page.write(f"\n{text}{example}")
    done = build(sources, directory / "site")
    assert done.returncode == 0, done.stdout
    return directory / "site"


@pytest.fixture
def copy(installed: None, tmp_path: Path) -> Path:
    """The sources of the site, to be spoilt."""
    return _copied(tmp_path / "copy")


def _copied(into: Path) -> Path:
    for name in _SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, into / name)
        else:
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, into / name)
    return into


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Elements]:
    return {page: Elements(page) for page in site.rglob("*.html")}


def test_every_page_is_there(site: Path) -> None:
    names = [path.stem for path in (ROOT / "docs").glob("*.md")]
    missing = [name for name in names if name != "index" and not (site / name / "index.html").is_file()]
    assert not missing
    for name in ("index.html", "overview/index.html", "changelog/index.html", "contributing/index.html", "404.html"):
        assert (site / name).is_file()


def test_nothing_is_fetched_from_elsewhere(site: Path, pages: dict[Path, Elements]) -> None:
    """No fonts, scripts, styles or pictures of others, and no counting of readers."""
    for page, elements in pages.items():
        for tag, attributes in elements.found:
            fetched = attributes.get("src", "") or (tag == "link" and attributes.get("href", "")) or ""
            assert not re.match(r"(?:https?:)?//", str(fetched)), f"{page}: {fetched}"
    for style in site.rglob("*.css"):
        assert not re.search(r"(?:@import|url\()\s*[\"']?(?:https?:)?//", style.read_text(encoding="utf-8")), style


def test_links_lead_to_pages_and_headings(site: Path, pages: dict[Path, Elements]) -> None:
    wrong = []
    for page, elements in pages.items():
        for tag, attributes in elements.found:
            target, _, anchor = attributes.get("href", "").partition("#")
            if tag != "a" or re.match(r"\w+:", target) or page.name == "404.html":
                continue
            path = (page.parent / target).resolve() if target else page
            path = path / "index.html" if path.is_dir() else path
            if path not in pages and path.is_file() and not anchor:
                continue  # a file beside the pages, such as a schema
            if path not in pages or (anchor and anchor not in pages[path].ids | {"__skip"}):
                wrong.append(f"{page.relative_to(site)}: {attributes['href']}")
    assert not wrong


def test_each_page_has_one_place_in_the_navigation() -> None:
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    entries = re.findall(r"^ +- (.+): (\S+\.md)$", text, re.MULTILINE)
    assert len({page for _, page in entries}) == len(entries)
    assert len({title for title, _ in entries}) == len(entries)


def test_names_of_files_are_shown_as_titles(pages: dict[Path, Elements]) -> None:
    for page in pages:
        assert not re.search(r"<a [^>]*>[\w/-]+\.md</a>", page.read_text(encoding="utf-8")), page


def test_readers_see_no_notes_to_tests(pages: dict[Path, Elements]) -> None:
    for page in pages:
        assert not re.search(r"<!-- [\w-]+(?:: .*)? -->", page.read_text(encoding="utf-8")), page


def test_files_are_named_above_their_text(site: Path) -> None:
    assert "apis/v1/types.go" in re.findall(
        r'<span class="filename">([^<]*)</span>', (site / "tutorial-go" / "index.html").read_text(encoding="utf-8")
    )


def test_wrong_links_and_pages_without_a_place_fail(copy: Path, tmp_path: Path) -> None:
    wrong = ("nothing.md", "tags.md#nothing", "../README.md#nothing", "#nothing")
    with (copy / "docs" / "index.md").open("a", encoding="utf-8") as page:
        page.writelines(f"\n[x]({target})\n" for target in wrong)
    (copy / "docs" / "forgotten.md").write_text("# Forgotten\n", encoding="utf-8")
    done = build(copy, tmp_path / "site")
    assert done.returncode == 1
    for said in ("'nothing.md'", "'tags.md#nothing'", "'overview.md#nothing'", "'#nothing'", "forgotten.md"):
        assert said in done.stdout


def test_links_are_those_of_the_site(site: Path) -> None:
    page_text = (site / "index.html").read_text(encoding="utf-8")
    assert '<a href="tags/">the list\nof tags</a>, <code>LICENSE</code> and <a href="changelog/">' in page_text
    assert '<p><a href="tags/">Tags</a></p>' in page_text
    assert "[not](a.md)" in page_text
