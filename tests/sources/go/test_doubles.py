"""Structs with two fields of one name, which Go does not compile."""

from __future__ import annotations

from pathlib import Path

from validation_gen.pipeline import Settings, build_program

_TYPES = """// +k8s:validation-gen=*
package shelf

// Double has two fields of one name. Blank names are none.
type Double struct {
	// +k8s:required
	Name string `json:"name"`
	Size int    `json:"size"`
	Name int    `json:"number"`
	_    int
	_    int
}

type Single struct {
	// +k8s:required
	Name string `json:"name"`
}
"""


def test_a_field_that_is_declared_twice_is_an_error_of_its_type_alone(tmp_path: Path) -> None:
    (tmp_path / "shelf").mkdir()
    (tmp_path / "shelf/types.go").write_text(_TYPES, encoding="utf-8")
    result = build_program(Settings((str(tmp_path / "shelf"),), every_type=True))
    (found,) = [d for d in result.diagnostics.sorted() if d.severity.value == "error"]
    assert (found.code, found.span.line, found.span.column) == ("VG101", 9, 2)
    assert found.message == "shelf.Double: field Name is declared twice"
    assert found.help == "give one of them another name, or remove it"
    assert [plan.name for plan in result.program.validated] == ["Single"]
