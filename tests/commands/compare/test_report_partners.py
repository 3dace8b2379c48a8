"""What was put in order, and what has no partner, is told in every form of a report, however much else is."""

from __future__ import annotations

from collections import Counter

from tests.commands.compare.rendering import render_json, render_json_lines, render_junit, render_sarif
from tests.commands.compare.sample_results import ordinary
from validation_gen.commands.compare.inputs import sentences
from validation_gen.commands.compare.inputs.trail import ALONE, LATE, UNKNOWN
from validation_gen.commands.compare.report import History, render_concise, render_html, render_text, to_run


def test_partners_are_told_in_every_form() -> None:
    results = ordinary()
    results.bad, results.notes = 0, []
    for number in range(200):
        results.note(f"a.jsonl:{number}: not JSON", (1, number))
    verbs = {f"of the verb v{number}": 50 for number in range(9)}
    results.notes += sentences(Counter({**verbs, UNKNOWN: 700, LATE: 9, ALONE: 2}))
    texts = {
        "text": render_text(results, color=False),
        "concise": render_concise(results, color=False),
        "json": render_json(results),
        "jsonl": render_json_lines(results),
        "junit": render_junit(results),
        "sarif": render_sarif(results, lambda _source, _tag: None),
        "html": render_html(results, History([to_run(results, "2027-01-01T00:00:00+00:00")])),
    }
    for told in (f"9 events {LATE}", "2 objects of --old without a new one", f"700 events {UNKNOWN}"):
        assert [form for form, text in texts.items() if told not in " ".join(text.split())] == []
    assert "… and 195 more" in texts["text"]
    assert "… and 7 more" in texts["text"]
