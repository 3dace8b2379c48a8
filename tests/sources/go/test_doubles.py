"""What is declared twice and types without an end, which Go does not compile."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tables import each
from validation_gen.compiler.pipeline import Settings, build_program
from validation_gen.diagnostics import Diagnostics
from validation_gen.sources.reader import read_universe

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


def errors(directory: Path, **files: str) -> list[tuple[str, str, int]]:
    """The file, the text and the line of each error in some files of a package."""
    (directory / "shelf").mkdir()
    for name, text in files.items():
        content = f"// +k8s:validation-gen=*\npackage shelf\n{text}"
        (directory / f"shelf/{name}.go").write_text(content, encoding="utf-8")
    result = build_program(Settings((str(directory / "shelf"),), every_type=True))
    found = [d for d in result.diagnostics.sorted() if d.severity.value == "error"]
    return [(Path(d.span.file).name, f"{d.code} {d.message}", d.span.line) for d in found]


_BOOK = 'type Book struct {\n\t// +k8s:required\n\tTitle string `json:"title"`\n}\n'


def test_a_type_that_is_declared_twice_is_an_error(tmp_path: Path) -> None:
    assert errors(tmp_path, a=_BOOK, b=_BOOK) == [("b.go", "VG101 shelf.Book: the type is declared twice", 3)]


def test_files_for_other_platforms_declare_nothing(tmp_path: Path) -> None:
    assert errors(tmp_path, a_linux=_BOOK, a_windows=_BOOK) == []


@each(
    ("text", "found"),
    [
        ("type A struct {\n\tTAG\n\tIn A\n}\n", ["the type contains itself by value"]),
        ("type A struct {\n\tTAG\n\tA\n}\n", ["the type contains itself by value"]),
        ("type A struct {\n\tTAG\n\tIn B\n}\ntype B struct {\n\tTAG\n\tIn [2][3]A\n}\n", ["B", "A"]),
        ("type A struct {\n\tTAG\n\tIn struct{\n\tTAG\n\tIn A }\n}\n", ["A_In", "A"]),
        ("type A struct {\n\tTAG\n\tIn C\n}\ntype C = A\n", ["C"]),
        ("type A struct {\n\tTAG\n\tB\n}\ntype B struct {\n\tTAG\n\tX *A\n\tY []B\n\tZ map[string]A\n}\n", []),
        ("type A struct {\n\tTAG\n\tX, Y B\n}\ntype B struct {\n\tTAG\n}\n", []),
    ],
)
def test_a_type_that_contains_itself_is_an_error(tmp_path: Path, text: str, found: list[str]) -> None:
    tagged = text.replace("TAG", '// +k8s:optional\n\t// +k8s:maxLength=3\n\tName string `json:"name"`')
    told = [message for _, message, _ in errors(tmp_path, a=tagged)]
    assert len(told) == len(found)
    for message, end in zip(told, found, strict=True):
        assert message.startswith("VG302 shelf.")
        assert message.endswith(end)


def test_a_long_ring_of_types(tmp_path: Path) -> None:
    number = 3000
    types = [
        f'type T{i} struct {{\n\t// +k8s:optional\n\tName string `json:"n"`\n\tIn T{(i + 1) % number}\n}}\n'
        for i in range(number)
    ]
    (tmp_path / "a.go").write_text("package shelf\n" + "".join(types), encoding="utf-8")
    (package,) = read_universe([str(tmp_path)], Diagnostics()).inputs
    assert len(package.notes) == number


@pytest.mark.parametrize("tag", ["unionMember", "zeroOrOneOfMember", "unionDiscriminator", 'unionMember(union: "a")'])
def test_no_part_of_a_union_is_behind_a_pointer(tmp_path: Path, tag: str) -> None:
    part = '\ntype Part struct {\n\t// +k8s:optional\n\tU *string `json:"u"`\n\tV string `json:"v"`\n}\n'
    member = "v" if "Discriminator" in tag else "u"
    tagged = f"\t// +k8s:subfield({member})=+k8s:{tag}\n"
    text = f'type A struct {{\n\t// +k8s:optional\n{tagged}\tP *Part `json:"p"`\n}}\n{part}'
    ((_, message, line),) = errors(tmp_path, a=text)
    assert (message.partition(" ")[0], "cannot be used behind a pointer" in message, line) == ("VG204", True, 5)
    (tmp_path / "b").mkdir()
    assert (
        errors(tmp_path / "b", a=text.replace("*Part", "Part").replace("optional\n\t// +k8s:sub", "x\n\t// +k8s:sub"))
        == []
    )


def test_tags_that_get_lost_are_told_where_nothing_else_is_tagged(tmp_path: Path) -> None:
    """The first declaration counts, and has no tags."""
    tagged = 'type A struct {\n\t// +k8s:required\n\tQ string `json:"q"`\n}\n'
    ((file, message, line),) = errors(tmp_path, a="type A struct{}\n", b=tagged)
    assert (file, message, line) == ("b.go", "VG101 shelf.A: the type is declared twice", 3)
