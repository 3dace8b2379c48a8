"""Renders the results of a comparison for people and for programs.

`Compared` is the report for all formats of `--format`; `text` and `sarif` make its forms from `Results`.
`render_html` makes the page for browsers; `history` stores the numbers of earlier runs. Nothing here compares, prints
or writes files, except the history. No content of an object raises an exception.
"""

from validation_gen.commands.compare.report.history import History, Problem, Run, append_run, read_history, to_run
from validation_gen.commands.compare.report.html import render_html
from validation_gen.commands.compare.report.sarif import Compared
from validation_gen.commands.compare.report.text import render_concise, render_text

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
    "to_run",
]
