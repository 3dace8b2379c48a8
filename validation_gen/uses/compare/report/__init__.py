"""What a comparison has found, told to people and to programs.

Each format is a function from `Results` to text: `render_text` and `render_concise` for terminals, `render_html` for
browsers, `render_json`, `render_junit` and `render_sarif` for programs; `history` keeps the numbers of earlier runs.
Nothing here compares, prints or writes files, save the history. Nothing raises because of what an object holds.
"""

from validation_gen.uses.compare.report.data import render_json, render_json_lines
from validation_gen.uses.compare.report.history import History, Problem, Run, append_run, read_history, run_of
from validation_gen.uses.compare.report.html import render_html
from validation_gen.uses.compare.report.junit import render_junit
from validation_gen.uses.compare.report.sarif import render_sarif
from validation_gen.uses.compare.report.text import render_concise, render_text

__all__ = [
    "History",
    "Problem",
    "Run",
    "append_run",
    "read_history",
    "render_concise",
    "render_html",
    "render_json",
    "render_json_lines",
    "render_junit",
    "render_sarif",
    "render_text",
    "run_of",
]
