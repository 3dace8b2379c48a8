"""Numbers of the page's charts: lengths of bars and coordinates of lines, which the templates draw.

No chart depends on colour alone: bars have their numbers beside them and their parts a pattern, points of incomplete
runs are hollow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from validation_gen.commands.compare.groups import Group
from validation_gen.commands.compare.report.history import Run
from validation_gen.commands.compare.report.wording import BOTH, counted, number, percent, short
from validation_gen.mismatch.outcome import Side

_MOST_BARS = 10
_LONGEST_LABEL = 120

#: Style, pattern and meaning of the mismatches of each side.
SHAPES = {
    Side.HANDWRITTEN.value: ("solid", "", "handwritten error without counterpart"),
    Side.DECLARATIVE.value: ("hatched", "url(#hatch)", "declarative error without counterpart"),
    BOTH: ("dotted", "url(#dots)", "errors of both sides that differ in one respect"),
}

#: The size of a line chart in its own units: as wide as a phone, so that its text is legible there.
FRAME = {"width": 340, "height": 150, "left": 46, "right": 326, "top": 16, "bottom": 124}


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar. `parts` has the side, the beginning and the length of each part, in percent."""

    label: str
    count: int
    parts: list[tuple[str, str, str]]
    title: str


@dataclass(frozen=True, slots=True)
class Bars:
    """A bar chart of mismatches by an attribute."""

    title: str
    bars: list[Bar]
    rest: str


@dataclass(frozen=True, slots=True)
class Dot:
    """A run in a line chart."""

    x: str
    y: str
    title: str
    is_hollow: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A line chart. `ticks` are texts on the left with their heights."""

    summary: str
    dots: list[Dot]
    ticks: list[tuple[str, str]]
    first: str
    last: str


def bar_charts(groups: Sequence[Group]) -> list[Bars]:
    """Returns the charts of mismatches, by cause, by path and by tag."""
    if not groups:
        return []
    return [
        _bars("By cause", groups, lambda group: group.sort.cause),
        _bars("By path", groups, lambda group: group.sort.path),
        _bars("By tag", groups, lambda group: group.sort.tag or "(no tag)"),
    ]


def _bars(title: str, groups: Sequence[Group], label: Callable[[Group], str]) -> Bars:
    """Returns the chart of mismatches by a label, most frequent first."""
    totals: Counter[str] = Counter()
    sides: Counter[tuple[str, str]] = Counter()
    for group in groups:
        totals[label(group)] += group.count
        sides[label(group), group.sort.side] += group.count
    ordered = sorted(totals.items(), key=lambda item: (-item[1], item[0]))
    most = max(totals.values(), default=1) or 1
    shown = [_bar(name, {side: sides[name, side] for side in SHAPES}, most) for name, _ in ordered[:_MOST_BARS]]
    rest = ordered[_MOST_BARS:]
    total = number(sum(count for _, count in rest))
    return Bars(title, shown, f"{number(len(rest))} more with {total} together" if rest else "")


def _bar(label: str, counts: dict[str, int], most: int) -> Bar:
    parts, start = [], 0.0
    for side, count in counts.items():
        if count:
            width = max(count * 100 / most, 0.5)
            parts.append((side, f"{start:.2f}%", f"{width:.2f}%"))
            start += width
    total = sum(counts.values())
    text = ", ".join(f"{number(count)} {side}" for side, count in counts.items() if count)
    return Bar(short(label, _LONGEST_LABEL), total, parts, f"{counted(total, 'mismatch')}: {text}")


def line_charts(runs: Sequence[Run]) -> list[Line]:
    """Returns the trend over runs: mismatches, and the share of requests on which both sides agree."""
    if len(runs) < 2:
        return []
    mismatches = [float(run.totals["mismatches"]) for run in runs]
    shares = [run.totals["agreeing"] * 100 / (run.totals["compared"] or 1) for run in runs]
    low = min(shares)
    floor = 0.0 if low < 50 else 50.0 if low < 90 else 90.0 if low < 99 else 99.0
    counts = [number(run.totals["mismatches"]) for run in runs]
    parts = [percent(run.totals["agreeing"], run.totals["compared"]) for run in runs]
    top = max(*mismatches, 1.0)
    return [
        _line("Mismatches", runs, mismatches, counts, [(top, number(int(top))), (0.0, "0")]),
        _line("Agreement", runs, shares, parts, [(100.0, "100 %"), (floor, f"{floor:.0f} %")]),
    ]


def _line(
    title: str,
    runs: Sequence[Run],
    values: Sequence[float],
    texts: Sequence[str],
    ticks: Sequence[tuple[float, str]],
) -> Line:
    """Returns the chart of values, whose first tick is at the top and whose last one is at the bottom."""
    high, low = ticks[0][0], ticks[-1][0]
    precision = 16 if runs[0].time[:10] == runs[-1].time[:10] else 10  # of ISO 8601: minutes, or days
    step = (FRAME["right"] - FRAME["left"]) / (len(runs) - 1)

    def height(value: float) -> str:
        return f"{FRAME['top'] + (high - value) * (FRAME['bottom'] - FRAME['top']) / (high - low):.1f}"

    dots = []
    for i, (run, value, text) in enumerate(zip(runs, values, texts, strict=True)):
        state = ", interrupted" if run.interrupted else ""
        x = f"{FRAME['left'] + i * step:.1f}"
        dots.append(Dot(x, height(value), f"{run.time}: {text}{state}", run.interrupted))
    return Line(
        f"{title} in {counted(len(runs), 'run')}, from {texts[0]} to {texts[-1]}",
        dots,
        [(height(value), text) for value, text in ticks],
        runs[0].time[:precision],
        runs[-1].time[:precision],
    )
