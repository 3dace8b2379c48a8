"""The types of schemas of `k8s.io/apiextensions-apiserver` that come with the program.

The test with a checkout needs `VALIDATION_GEN_APIEXTENSIONS`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.case_folders import inside
from validation_gen.cli.app import app, arguments
from validation_gen.diagnostics import Diagnostics
from validation_gen.sources.model import Struct, Universe
from validation_gen.sources.reader import read_universe

MODULE = "k8s.io/apiextensions-apiserver"
PATH = f"{MODULE}/pkg/apis/apiextensions/v1"
CHECKOUT = os.environ.get("VALIDATION_GEN_APIEXTENSIONS")

GO = """
// +groupName=example.com
package v1

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Pool struct {
	metav1.TypeMeta `json:",inline"`

	// +k8s:required
	Schema *apiextensionsv1.JSONSchemaProps `json:"schema"`
}
"""
OBJECT = """
apiVersion: example.com/v1
kind: Pool
schema:
  additionalProperties: false
  properties: {a: {items: [{type: string}], allOf: [{not: {maxLength: LONG}}]}}
"""


def _declared(universe: Universe, names: set[str]) -> Iterator[object]:
    package = universe.package(PATH)
    assert package is not None
    for name in sorted(names):
        found = package.types[name]
        yield name, "" if isinstance(found.type, Struct) else str(found.type), found.custom_json
        for member in found.type.fields if isinstance(found.type, Struct) else ():
            yield member.go_name, str(member.type), member.json, member.omit, member.omitted


@pytest.mark.skipif(CHECKOUT is None, reason="VALIDATION_GEN_APIEXTENSIONS must name a checkout")
def test_declarations_are_those_of_the_checkout(tmp_path: Path) -> None:
    (tmp_path / "a.go").write_text("package a\n")
    with inside(tmp_path):
        here = read_universe(["."], Diagnostics())
        there = read_universe(["."], Diagnostics(), modules={MODULE: str(CHECKOUT)})
        package = here.package(PATH)
        assert package is not None
        names = set(package.types)
        assert list(_declared(here, names)) == list(_declared(there, names))


@pytest.mark.parametrize(("long", "code", "told"), [("3", 0, "1 valid"), ("x", 1, "allOf[0].not.maxLength")])
def test_schemas_within_schemas_are_decoded(tmp_path: Path, long: str, code: int, told: str) -> None:
    (tmp_path / "v1").mkdir()
    (tmp_path / "v1/types.go").write_text(GO)
    (tmp_path / "pool.yaml").write_text(OBJECT.replace("LONG", long))
    with inside(tmp_path):
        found = CliRunner().invoke(app, arguments(["validate", "v1", "-f", "pool.yaml"]))
        written = CliRunner().invoke(app, arguments(["generate", "v1", "-o", "out"]))
    assert (found.exit_code, told in found.output) == (code, True), found.output
    assert written.exit_code == 0, written.output
