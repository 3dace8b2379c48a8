"""The page: its text, and what a browser makes of it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tests.commands.compare.browser import Browser, started
from tests.commands.compare.sample_results import HOSTILE, clean, history, hostile, many, ordinary
from tests.tables import each
from validation_gen.commands.compare.report import History, render_html
from validation_gen.commands.compare.results import Results

PAGES: dict[str, Callable[[], tuple[Results, History]]] = {
    "ordinary": lambda: (ordinary(), history(ordinary())),
    "clean": lambda: (clean(), history(clean())),
    "hostile": lambda: (hostile(), History()),
    "many": lambda: (many(), History()),
    "nothing": lambda: (Results(), History()),
}
VOID = {"br", "input", "link", "meta", "wbr"}
EVERY = pytest.mark.parametrize("name", PAGES)


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return {name: render_html(*values()) for name, values in PAGES.items()}


# --- the text ---------------------------------------------------------------------------------------------------------


class Elements(HTMLParser):
    """Reads a page as strictly as its author should have written it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), f"an attribute of {tag} is there twice"
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert "svg" in self.open, f"<{tag}/> means nothing in HTML"
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag, f"</{tag}> closes something else"

    def handle_data(self, data: str) -> None:
        if self.open[-1:] not in (["style"], ["script"]):
            self.words.append(data)

    def attributes(self, name: str) -> list[str]:
        return [attributes[name] or "" for _, attributes in self.seen if name in attributes]


@cache
def elements(text: str) -> Elements:
    """A page that several tests look at, read once."""
    return Elements(text)


@EVERY
def test_the_page_is_well_formed(name: str, texts: dict[str, str]) -> None:
    page = elements(texts[name])
    ids = page.attributes("id")
    assert len(set(ids)) == len(ids)
    assert set(page.attributes("aria-labelledby")) | set(page.attributes("for")) <= set(ids)
    inside = [href[1:] for tag, attributes in page.seen if tag == "a" and (href := attributes["href"] or "")[0] == "#"]
    assert set(inside) <= set(ids)
    levels = [int(tag[1]) for tag, _ in page.seen if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))
    assert [tag for tag, _ in page.seen if tag in ("header", "nav", "main", "footer")] == [
        "header",
        "nav",
        "main",
        "footer",
    ]


@EVERY
def test_nothing_is_loaded_and_no_style_or_handler_is_inline(name: str, texts: dict[str, str]) -> None:
    page = elements(texts[name])
    assert {tag for tag, _ in page.seen} & {"img", "iframe", "object", "embed", "base", "form", "a:"} == set()
    assert [tag for tag, _ in page.seen].count("script") == 1
    assert not page.attributes("src")
    assert not page.attributes("style")
    assert not [attribute for _, attributes in page.seen for attribute in attributes if attribute.startswith("on")]
    assert set(page.attributes("href")) - {"data:,"} == {href for href in page.attributes("href") if href[0] == "#"}


@EVERY
def test_the_same_results_give_the_same_bytes(name: str, texts: dict[str, str]) -> None:
    results, runs = PAGES[name]()
    assert render_html(Results.from_json(results.as_json()), runs).encode() == texts[name].encode()


@EVERY
def test_pages_are_small(name: str, texts: dict[str, str]) -> None:
    assert len(texts[name].encode()) < (3_000_000 if name == "many" else 200_000)


def test_hostile_texts_are_shown_as_texts(texts: dict[str, str]) -> None:
    words = "".join(Elements(texts["hostile"]).words)
    assert not re.search("[\x00-\x09\x0b-\x1f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", words)
    shown = [text for text in HOSTILE if text.isprintable() and 0 < len(text) < 100]
    assert len(shown) == 4
    for text in [*shown, "a\\x00b\\x1b[31mred", "half \\ud800 pair \\udfff", "\\u202eabc"]:
        assert text in words


def test_what_stands_in_backticks_is_code() -> None:
    results = ordinary()
    for group in results.groups.values():
        group.example = replace(group.example, text="must set one of: `a<b`, `c`")
    page = render_html(results, History())
    assert '<p class="text">must set one of: <code>a&lt;b</code>, <code>c</code></p>' in page


def test_sources_are_links_that_lead_to_the_file() -> None:
    """From the directory of the page, whatever is in a name."""
    results = ordinary()
    for group in results.groups.values():
        group.file = "apis/a b:c#/types.go:12:5"
    links = Elements(render_html(results, History(), "build/reports")).attributes("href")
    assert "../../apis/a%20b%3Ac%23/types.go#L12" in links
    assert not [link for link in Elements(render_html(results, History())).attributes("href") if "types.go" in link]


def test_no_line_ends_between_a_number_and_its_sign(texts: dict[str, str]) -> None:
    shown = re.sub(r"<(style|script|svg|pre|title)\b.*?</\1>", "", texts["ordinary"], flags=re.DOTALL)
    assert "&nbsp;%" in shown
    assert not re.search(r"\d %", shown)


def test_what_is_more_than_the_page_can_hold_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("validation_gen.commands.compare.report.html.MOST_SECTIONS", 3)
    text = render_html(many(10), History())
    assert text.count('<article class="group"') == 3
    assert text.count('<tr role="row"><td') == 10
    assert "The examples of the 3 most frequent groups are below. The JSON report has all." in text


def test_an_interrupted_run_says_so(texts: dict[str, str]) -> None:
    assert "The run was interrupted." in texts["hostile"]
    assert "<td>interrupted</td>" in texts["ordinary"]
    assert 'class="hollow"' in texts["ordinary"]


# --- in a browser -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with started(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture(scope="module")
def files(texts: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    directory = tmp_path_factory.mktemp("pages")
    for name, text in texts.items():
        (directory / f"{name}.html").write_bytes(text.encode())
    return {name: directory / f"{name}.html" for name in texts}


NUMBERS = """({
    totals: Object.fromEntries([...document.querySelectorAll('[id^="total-"]')].map((e) => [e.id.slice(6), +e.value])),
    shown: Object.fromEntries(
        [...document.querySelectorAll('[id^="total-"]')].map((e) => [e.id.slice(6), e.textContent])),
    kinds: [...(document.getElementById('kinds-table')?.tBodies[0].rows ?? [])].map((row) =>
        [row.cells[0].textContent, row.cells[1].textContent,
         ...[...row.querySelectorAll('data')].map((e) => +e.value)]),
    groups: [...(document.getElementById('groups-table')?.tBodies[0].rows ?? [])].map((row) =>
        [+row.querySelector('data').value, row.cells[1].textContent, row.cells[2].textContent]),
    articles: document.querySelectorAll('#examples ~ article').length,
    unused: document.getElementById('rules-table')?.tBodies[0].rows.length ?? 0,
    runs: document.getElementById('runs-table')?.tBodies[0].rows.length ?? 0,
    bars: [...document.querySelectorAll('.bars')].map((figure) =>
        [...figure.querySelectorAll('data')].reduce((sum, e) => sum + +e.value, 0)),
})"""


@each("name", ["ordinary", "clean", "many", "nothing"])
def check_the_numbers_of_the_page_are_those_of_the_json(name: str, browser: Browser, files: dict[str, Path]) -> None:
    results, runs = PAGES[name]()
    data = results.as_json()
    browser.open(files[name])
    page: dict[str, Any] = browser.value(NUMBERS)
    assert page["totals"] == data["totals"]
    assert page["shown"] == {key: f"{value:,}" for key, value in data["totals"].items()}
    assert page["kinds"] == [
        [
            row["kind"],
            row["operation"],
            row["agreeing"] + row["differing"],
            row["agreeing"],
            row["invalid"],
            row["differing"],
        ]
        for row in data["kinds"]
    ]
    unexpected = [row for row in data["mismatches"] if not row["expected"]]
    assert page["groups"] == [[row["count"], row["path"], row["cause"]] for row in unexpected]
    assert page["articles"] == len(unexpected)
    assert page["unused"] == data["totals"]["rules"] - data["totals"]["exercised"]
    assert page["runs"] == len(runs.runs)
    if 0 < len(unexpected) <= 10:
        assert page["bars"] == [data["totals"]["mismatches"]] * 3


@each("name", PAGES)
@each("width", [360, 1280])
def check_pages_fit_their_screens_and_load_nothing(
    name: str, width: int, browser: Browser, files: dict[str, Path]
) -> None:
    browser.open(files[name], width)
    browser.value("document.querySelectorAll('details').forEach((each) => { each.open = true })")
    assert browser.value("document.documentElement.scrollWidth <= innerWidth")
    assert browser.value("innerWidth") == width
    assert browser.requests == [files[name].as_uri()]
    assert browser.complaints == []
    # What is cut off is not on the page either, unless it scrolls by itself or is for screen readers only.
    cut = """[...document.querySelectorAll('main *')].filter((e) => e.checkVisibility()
        && !e.closest('.scroll, .hidden, svg') && !e.closest('.cards thead')
        && e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.outerHTML.slice(0, 100))"""
    assert browser.value(cut) == []


@each("name", ["ordinary", "clean", "hostile"])
@each("width", [360, 1280])
def check_the_tab_key_reaches_everything(name: str, width: int, browser: Browser, files: dict[str, Path]) -> None:
    browser.open(files[name], width)
    wanted, reached = browser.tab_through()
    assert wanted > 10
    assert reached == wanted


def check_focus_can_be_seen(browser: Browser, files: dict[str, Path]) -> None:
    browser.open(files["ordinary"])
    style = "getComputedStyle(document.activeElement)"
    browser.press_tab()
    assert browser.value("document.activeElement.className") == "skip"
    assert browser.value("document.activeElement.getBoundingClientRect().left") >= 0
    for _ in range(browser.value("document.querySelectorAll('nav a').length") + 1):
        browser.press_tab()
        assert browser.value(f"{style}.outlineStyle") == "solid"
    assert browser.value("document.activeElement.getAttribute('role')") == "region"


def check_the_table_can_be_sorted_and_searched(browser: Browser, files: dict[str, Path]) -> None:
    browser.open(files["ordinary"])
    rows = "[...document.querySelectorAll('#groups-table tbody tr')].filter((row) => !row.hidden)"
    paths = f"{rows}.map((row) => row.cells[1].textContent)"
    assert browser.value(paths) == ["spec.ports[*].name", "spec.mode", "spec.limits[*]", "aisle"]
    browser.value("document.querySelectorAll('#groups-table th button')[1].click()")
    assert browser.value(paths) == ["aisle", "spec.limits[*]", "spec.mode", "spec.ports[*].name"]
    browser.value("document.querySelectorAll('#groups-table th button')[0].click()")
    assert browser.value(paths) == ["spec.ports[*].name", "spec.mode", "spec.limits[*]", "aisle"]
    browser.value("document.querySelectorAll('#groups-table th button')[0].click()")
    assert browser.value(paths) == ["aisle", "spec.limits[*]", "spec.mode", "spec.ports[*].name"]
    assert browser.value("document.querySelector('#groups-table th').getAttribute('aria-sort')") == "ascending"
    browser.value("document.getElementById('filter').value = 'IMMUTABLE'")
    browser.value("document.getElementById('filter').dispatchEvent(new Event('input'))")
    assert browser.value(paths) == ["spec.mode"]
    assert browser.value("document.getElementById('shown').textContent") == "1 of 4"
    assert browser.value("[...document.querySelectorAll('#examples ~ article')].filter((e) => !e.hidden).length") == 1
    assert browser.complaints == []


def check_the_page_is_complete_without_scripts(browser: Browser, files: dict[str, Path]) -> None:
    words = "document.querySelector('main').innerText.split(/\\s+/).join(' ')"
    browser.open(files["ordinary"])
    scripted = browser.value(words)
    browser.open(files["ordinary"], scripts=False)
    plain = browser.value(words)
    assert plain == scripted.replace("Show groups with ", "")
    assert plain != scripted
    assert "Too long: may not be more than 63 bytes" in plain


@each("dark", [False, True])
def check_texts_stand_out_from_their_ground(dark: bool, browser: Browser, files: dict[str, Path]) -> None:
    """The contrast of WCAG 2, level AA, of all texts of the page."""
    browser.open(files["ordinary"], dark=dark)
    browser.value("document.querySelectorAll('details').forEach((each) => { each.open = true })")
    assert browser.value(CONTRAST) == []


CONTRAST = """(() => {
    const light = (c) => { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
    const parts = (color) => color.match(/[0-9.]+/g).map(Number);
    const luminance = ([r, g, b]) => 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
    const ground = (e) => {
        for (; e; e = e.parentElement) {
            const color = parts(getComputedStyle(e).backgroundColor);
            if (color[3] !== 0) return color;
        }
    };
    const bad = [];
    for (const e of document.querySelectorAll('body *')) {
        if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || !e.checkVisibility()) continue;
        if (e.closest('svg, script, style')) continue;
        const [a, b] = [parts(getComputedStyle(e).color), ground(e)].map(luminance);
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (ratio < 4.5) bad.push([e.tagName, e.className, e.textContent.slice(0, 40), ratio]);
    }
    return bad;
})()"""


def check_paper_has_everything_and_nothing_to_click(browser: Browser, files: dict[str, Path]) -> None:
    browser.open(files["ordinary"], 794, media="print")
    assert browser.value("document.documentElement.scrollWidth <= innerWidth")
    gone = "['nav', '.tools', '.up'].filter((s) => document.querySelector(s).checkVisibility())"
    assert browser.value(gone) == []
    assert "--handwritten python:shop.checks:validate -f - <<'REQUEST'" in browser.value(
        "document.querySelector('main').innerText"
    )


CHECKS = [
    check_the_numbers_of_the_page_are_those_of_the_json,
    check_pages_fit_their_screens_and_load_nothing,
    check_the_tab_key_reaches_everything,
    check_focus_can_be_seen,
    check_the_table_can_be_sorted_and_searched,
    check_the_page_is_complete_without_scripts,
    check_texts_stand_out_from_their_ground,
    check_paper_has_everything_and_nothing_to_click,
]


@each("check", CHECKS, ids=lambda check: check.__name__)
def test_in_a_browser(check: Callable[..., None], browser: Browser, files: dict[str, Path]) -> None:
    check(browser=browser, files=files)
