"""What the tests of the command line share: the program as people run it, and a small API to run it on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import validation_gen
from tests.program import run

if TYPE_CHECKING:
    from tests.cli.comparing import Comparison

#: Where the package under test is, for processes that start elsewhere.
HOME = Path(validation_gen.__file__).parents[1]

DOC = """\
// +k8s:validation-gen=TypesWithField=TypeMeta
// +groupName=example.com

package v1
"""

TYPES = """\
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Thing is what there is.
// +k8s:supportsSubresource="/status"
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec ThingSpec `json:"spec"`
}

type ThingSpec struct {
	// +k8s:required
	// +k8s:maxLength=5
	Name string `json:"name"`

	// +k8s:optional
	// +k8s:minimum=1
	Count *int32 `json:"count,omitempty"`

	// +k8s:optional
	// +k8s:immutable
	Color string `json:"color,omitempty"`

	// +k8s:ifEnabled(Glitter)=+k8s:optional
	// +k8s:ifDisabled(Glitter)=+k8s:forbidden
	Glitter *string `json:"glitter,omitempty"`

	// +k8s:optional
	Labels map[string]string `json:"labels,omitempty"`

	Anything []string `json:"anything,omitempty"`
}
"""

API = {"go.mod": "module example.com/m\n", "apis/things/v1/doc.go": DOC, "apis/things/v1/types.go": TYPES}


@dataclass(frozen=True, slots=True)
class Done:
    """How a run ended. Nothing that a user does may end in a traceback, so looking at one is part of every test."""

    code: int
    out: str
    err: str


@dataclass(slots=True)
class Program:
    """`validation-gen` as a process of its own, in a directory of its own. What is called has been imported already."""

    directory: Path
    environment: dict[str, str] = field(default_factory=dict)

    def command(self, *args: str | Path) -> list[str]:
        return [sys.executable, "-m", "validation_gen", *map(str, args)]

    def environ(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        ours = {"NO_COLOR", "FORCE_COLOR", "GOPATH", "GOWORK", "PYTHONIOENCODING", "PYTHONUTF8"}
        kept = {name: value for name, value in os.environ.items() if name not in ours}
        cache = str(self.directory / "no cache")
        return {
            **kept,
            "PYTHONPATH": str(HOME),
            "GOMODCACHE": cache,
            "TERM": "xterm",
            "LC_ALL": "C.UTF-8",
            **(more or {}),
        }

    def start(self, *args: str | Path, **environ: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self.command(*args),
            cwd=self.directory,
            env=self.environ(environ),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def __call__(self, *args: str | Path, stdin: str | bytes = b"", **environ: str) -> Done:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        ended = run([*map(str, args)], data, self.directory, self.environ(environ))
        return self._done(ended)

    def process(self, *args: str | Path, stdin: str | bytes = b"", **environ: str) -> Done:
        """Run the program as a process of its own."""
        data = stdin.encode() if isinstance(stdin, str) else stdin
        environment = self.environ(environ)
        command = self.command(*args)
        return self._done(
            subprocess.run(
                command, input=data, capture_output=True, cwd=self.directory, env=environment, timeout=120, check=False
            )
        )

    def _done(self, ended: subprocess.CompletedProcess[bytes]) -> Done:
        done = Done(ended.returncode, ended.stdout.decode(errors="replace"), ended.stderr.decode(errors="replace"))
        assert "Traceback" not in done.err, done.err
        return done

    def write(self, files: Mapping[str, str]) -> None:
        for name, text in files.items():
            path = self.directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def files(self, below: str = ".") -> dict[str, bytes]:
        """The content of all files by path."""
        root = self.directory / below
        return {p.relative_to(root).as_posix(): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()}


def definition(limit: int) -> str:
    """A manifest that defines the kind `Thing` of `example.com/v1`, whose `spec` is a text of so many characters."""
    schema = {"type": "object", "properties": {"spec": {"type": "string", "maxLength": limit}}}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    return json.dumps(
        {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": "things.example.com"},
            "spec": {
                "group": "example.com",
                "scope": "Namespaced",
                "names": {"plural": "things", "kind": "Thing"},
                "versions": [version],
            },
        }
    )


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """The program in an empty directory."""
    return Program(tmp_path)


@pytest.fixture
def project(program: Program, monkeypatch: pytest.MonkeyPatch) -> Program:
    """The program in a directory with a small API. It is the current directory of the test as well."""
    program.write(API)
    monkeypatch.chdir(program.directory)
    monkeypatch.setenv("GOMODCACHE", str(program.directory / "no cache"))
    return program


@pytest.fixture
def comparison(program: Program) -> Comparison:
    """`compare` in a directory with a small API and handwritten validation of it."""
    from tests.cli.comparing import Comparison  # noqa: PLC0415 - it needs what stands here

    return Comparison(program)
