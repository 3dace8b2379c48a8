"""What the tests of comparisons share: two states of a small API, as directories or as commits."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from validation_gen.commands.breaking.run import Comparison, compare
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostic

HEAD = """\
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

"""
KIND = """\
{marks}type Robot struct {{
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec,omitempty"`
}}

type Spec struct {{
{fields}}}
{more}"""


def api(fields: str, *, more: str = "", marks: str = "") -> str:
    """The source of a kind whose spec has these fields. Each is a line, tags before it."""
    lines = "".join(f"\t{line.strip()}\n" for line in fields.strip().splitlines())
    return HEAD + KIND.format(fields=lines, more=f"\n{more}\n" if more else "", marks=marks)


@dataclass(slots=True)
class Project:
    """A directory with an API in `api/v1`."""

    directory: Path

    def write(self, files: Mapping[str, str]) -> None:
        for name, text in files.items():
            path = self.directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def git(self, *args: str, directory: Path | None = None) -> str:
        own = {
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
            **{f"GIT_{who}_{what}": "t@example.com" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
        }
        done = subprocess.run(
            ["git", "-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main", *args],
            cwd=directory or self.directory,
            env=os.environ | own,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    def commit(self, files: Mapping[str, str], tag: str) -> None:
        """Writes files and makes a commit with a tag of them."""
        if not (self.directory / ".git").exists():
            self.git("init", "--quiet")
        self.write(files)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", tag)
        self.git("tag", tag)

    def compare(self, old: str, new: str, *, all: bool = True) -> Comparison:
        """Two sources of one package compared."""
        doc = "// +groupName=example.com\npackage v1\n"
        self.write({"old/api/v1/types.go": old, "old/api/v1/doc.go": doc})
        self.write({"api/v1/types.go": new, "api/v1/doc.go": doc})
        return compare(Settings(("api",)), "old", all=all)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.chdir(tmp_path)
    return Project(tmp_path)


def said(comparison: Comparison) -> list[str]:
    """Findings in short: severity, code and message, without the kind that all of them are about."""
    return [short(d) for d in comparison.diagnostics.sorted()]


def short(finding: Diagnostic) -> str:
    message = finding.message.removeprefix("example.com/v1 Robot").removeprefix(" ").removeprefix("spec.")
    return f"{finding.severity.value} {finding.code} {message}"
