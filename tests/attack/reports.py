"""Hostile texts in what a comparison reports: details, paths and origins of errors, names and values of objects.

Every report is read by a reader of its format. A label of a metric, a cell of a page, a line of a log or of a command
to repeat a request holds such a text as text, or not at all.
"""

from __future__ import annotations

import json
import random
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

from tests.attack.names import PLACES, TEXTS, clean, readable
from tests.attack.yard import Yard

FORMATS = ("text", "json", "sarif", "junit", "github", "concise", "jsonl")
_SAMPLE = re.compile(
    r'[a-zA-Z_:][\w:]*(?:\{\w+="(?:[^"\\\n]|\\[\\"n])*"(?:,\w+="(?:[^"\\\n]|\\[\\"n])*")*\})? [0-9.e+-]+'
)

TYPES = """\
// +k8s:validation-gen=TypesWithField=TypeMeta
// +groupName=shop.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Box struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +k8s:optional
	// +k8s:maxLength=2
	Name string `json:"name"`
	// +k8s:optional
	// +k8s:eachVal=+k8s:maxLength=2
	Notes map[string]string `json:"notes"`
}
"""
#: Errors of the handwritten side, from a file beside it: a detail, a path, a type and an origin for each.
HAND = """\
import json
import pathlib

from validation_gen.mismatch import FieldError


def check(obj):
    texts = json.loads(pathlib.Path(__file__).with_name("texts.json").read_text())
    if texts["raises"]:
        raise ValueError(texts["detail"])
    return [FieldError.invalid(texts["path"], texts["value"], texts["detail"]).with_origin(texts["origin"])]
"""


def hostile_reports(yard: Yard, seed: int, tries: int) -> list[str]:
    """Comparisons of objects and errors with hostile texts."""
    faults = []
    for number in range(tries):
        draw = random.Random(f"reports {seed} {number}")
        yard.clear()
        yard.write("go.mod", "module example.com/m\n")
        yard.write("apis/v1/types.go", TYPES)
        hostile = [*PLACES, *TEXTS, "\ud800", "a\nb", "\r\n::error::x", "x" * 5000]
        texts = {name: draw.choice(hostile) for name in ("detail", "path", "value", "origin")}
        yard.write("hand.py", HAND)
        yard.write("texts.json", json.dumps({**texts, "raises": draw.random() < 0.2}))
        box = {
            "apiVersion": "shop.example.com/v1",
            "kind": "Box",
            "metadata": {"name": draw.choice(hostile), "namespace": draw.choice(hostile)},
            "name": draw.choice(hostile),
            "notes": {draw.choice(hostile): draw.choice(hostile)},
        }
        yard.write("objects.jsonl", json.dumps(box) + "\n")
        format = draw.choice(FORMATS)
        command = [
            "compare",
            "apis",
            "--handwritten",
            "python:hand.py:check",
            "-f",
            "objects.jsonl",
            "--jobs",
            "1",
        ]
        command += [
            "--report",
            "../out/page.html",
            "--metrics-file",
            "../out/m.prom",
            "--history",
            "../out/history.jsonl",
        ]
        command += ["--cases", "../out/cases", "--format", format]
        ended, found = yard.attack(*command)
        found = [fault for fault in found if not fault.startswith("ran code of") and "__pycache__" not in fault]
        found += readable(format, ended.out, ended.err) + clean(yard.out) + _pages(yard.out)
        faults += [f"{' '.join(command)} (seed {seed}, try {number}): {fault}\n{texts!r}\n{box!r}" for fault in found]
    return faults


class _Page(HTMLParser):
    """What a browser would run or load because of a text."""

    def __init__(self) -> None:
        super().__init__()
        self.scripts = 0
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        for name, value in attrs:
            if name.startswith("on") or (value or "").lower().lstrip().startswith(("javascript:", "data:text")):
                self.wrong.append(f"{tag} {name}={value!r}")
            if name in {"src", "srcset"}:
                self.wrong.append(f"{tag} loads {value!r}")


def _pages(root: Path) -> list[str]:
    """What is wrong with the page and with the metrics."""
    faults = []
    if (page := root / "page.html").is_file():
        reader = _Page()
        reader.feed(page.read_text(encoding="utf-8"))
        faults += reader.wrong
        if reader.scripts > 2:  # its own, and the data that it shows
            faults.append(f"{reader.scripts} scripts on the page")
    if (metrics := root / "m.prom").is_file():
        lines = metrics.read_text(encoding="utf-8").splitlines()
        faults += [
            f"no sample: {line!r}" for line in lines if not line.startswith("# ") and not _SAMPLE.fullmatch(line)
        ]
    for file in root.rglob("*.xml"):
        ET.parse(file)
    return faults
