"""Definitions with defects, annotated: behind a line, `# want VG501 "text"` says what must be found there.

The text is a part of the message; backquotes stand around one that has double quotes in it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.case_folders import ROOT
from validation_gen.diagnostics import Diagnostic, Diagnostics
from validation_gen.kubernetes.crd import run
from validation_gen.kubernetes.manifests import Manifest, read_manifests

CASES = ROOT / "testdata" / "definitions-judged"

_WANT = re.compile(r"""[ ]{2}\#[ ]want(?P<items>(?:[ ]VG\d{3}[ ](?:"[^"]*"|`[^`]*`))+)[ ]*$""", re.VERBOSE)
_ITEM = re.compile(r"""(VG\d{3}) ["`]([^"`]*)["`]""")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an annotation wants."""

    line: int
    code: str
    text: str

    def matches(self, found: Diagnostic) -> bool:
        return (found.span.line, found.code) == (self.line, self.code) and self.text in found.message

    def __str__(self) -> str:
        return f"{self.line}: {self.code} {self.text}"


@dataclass(frozen=True, slots=True)
class DefinitionCase:
    """A file with one definition."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.parent.name

    @property
    def manifest(self) -> Manifest:
        return manifest_of(self.path)

    def wanted(self) -> list[Wanted]:
        return list(_wanted(self.path.read_text(encoding="utf-8")))

    def found(self) -> list[Diagnostic]:
        manifest = self.manifest
        return run.diagnostics(manifest.obj, manifest.positions)


def all_cases() -> list[DefinitionCase]:
    return [DefinitionCase(file) for file in sorted(CASES.glob("*/crd.yaml"))]


@functools.cache
def manifest_of(path: Path) -> Manifest:
    """The one object in a file."""
    problems = Diagnostics()
    (manifest,) = read_manifests([str(path)], problems)
    assert not problems.items
    return manifest


def _wanted(text: str) -> Iterator[Wanted]:
    for number, line in enumerate(text.split("\n"), 1):
        match = _WANT.search(line)
        assert match or "# want" not in line, f"{number}: this is no annotation: {line.strip()}"
        if match:
            for code, part in _ITEM.findall(match["items"]):
                yield Wanted(number, code, part)
