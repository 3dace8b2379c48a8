"""What a comparison has found, told to people and to programs.

`Compared` is the report for all formats of `--format`; its forms are made from `Results` by `text`, `junit` and
`sarif`. Beside it stands the page for browsers, `render_html`; `history` keeps the numbers of earlier runs. Nothing
here compares, prints or writes files, save the history. Nothing raises because of what an object holds.
"""

from validation_gen.uses.compare.report.history import History, Problem, Run, append_run, read_history, run_of
from validation_gen.uses.compare.report.html import render_html
from validation_gen.uses.compare.report.text import render_concise, render_text
from validation_gen.uses.compare.report.told import Compared

__all__ = [
    "Compared",
    "History",
    "Problem",
    "Run",
    "append_run",
    "read_history",
    "render_concise",
    "render_html",
    "render_text",
    "run_of",
]
