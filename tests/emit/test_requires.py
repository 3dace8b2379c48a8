"""A generated package where nothing is installed but our own modules."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import validation_gen
from validation_gen.compiler.pipeline import Settings, build_files, build_program

TYPES = """// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true
type Box struct {{
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// {marker}
	Name string `json:"name,omitempty"`
}}
"""
#: Runs where nothing can be imported but Python's own modules, ours and the generated package.
RUN = """
import json, sys

class Bare:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {absent!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Bare())
try:
    import made
    print(json.dumps([str(error) for error in made.validate(json.loads(sys.argv[1]))]))
except ModuleNotFoundError as error:
    print(error.name, error)
"""
BOX = {"apiVersion": "example.com/v1", "kind": "Box", "metadata": {"name": "a"}, "name": "bbbb"}
ABSENT = ("lark", "yaml", "typer", "jinja2", "tree_sitter", "black", "rich")
#: A rule of items, before a marker of the usual field.
ITEMS = """+kubebuilder:validation:items:XValidation:rule="self.startsWith('a')"
\tMore []string `json:"more,omitempty"`
\t// +kubebuilder:validation:Pattern="^a+$\""""


def asked(directory: Path, marker: str, absent: tuple[str, ...] = ABSENT) -> str:
    """Returns the output of importing and calling a package of a type with a marker."""
    (directory / "types.go").write_text(TYPES.format(marker=marker))
    for path, text in build_files(build_program(Settings((str(directory),))).program).items():
        file = directory / "made" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    paths = [str(directory), str(Path(validation_gen.__file__).parents[1])]
    code = f"import sys; sys.path[:0] = {paths!r}\n{RUN.format(absent=absent)}"
    done = subprocess.run(
        [sys.executable, "-c", code, json.dumps(BOX)], capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.strip()


@pytest.mark.parametrize(
    "marker",
    [
        "+kubebuilder:validation:MaxLength=3",
        '+kubebuilder:validation:Pattern="^a+$"',
        "+kubebuilder:validation:XValidation:rule=\"self.startsWith('a')\"",
        ITEMS,
    ],
)
def test_nothing_else_is_needed(tmp_path: Path, marker: str) -> None:
    (text,) = json.loads(asked(tmp_path, marker))
    assert text.startswith("name: ")
