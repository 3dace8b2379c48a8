from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tables import each
from tests.thorough import drawn
from validation_gen.diagnostics import Diagnostics
from validation_gen.sources.go.files import GoFile, package_clause
from validation_gen.sources.go.package import PackageSource, read_package
from validation_gen.sources.model import Package, Universe

ReadGo = Callable[..., Package]

REALISTIC = """\
// Package v1 is it.
// +k8s:validation-gen=*
package v1 // behind

import (
	"k8s.io/klog/v2"
	. "example.com/dot"
	_ "example.com/blank"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type (
	// Phase is a phase – ä.
	// +k8s:enum
	Phase string
	Other = metav1.Time; Third map[string][]*Widget
)

const (
	PhaseA Phase = "a" + `b`
	PhaseB       = Phase("c\\n\\u00e9")
	Flag   uint8 = 1 << iota // behind
	Last, Rune   = iota * 2 &^ 1, 'x'
)

/* +k8s:second
 */

// Widget is one.
type Widget[K comparable, V any] struct {
	metav1.TypeMeta   `json:",inline"`
	*metav1.ObjectMeta "json:\\"metadata\\""
	// +k8s:optional
	A, B *[3]map[string]*(Phase) `json:"a,omitempty"`
	Inner []struct {
		X func(int) chan<- int
		Y interface{ M() }
	}
	G klog.Level
	Pair[K, V]
}

func (w *Widget[K, V]) UnmarshalJSON(data []byte) error {
	type local struct{ c byte }
	return nil
}

var x = map[string]int{"a": 1}
"""


class NoOtherPackages:
    def package_name(self, path: str) -> str | None:
        return None

    def package(self, path: str) -> Package | None:
        return None


def read(text: str) -> tuple[Package, list[tuple[str, int, int, str]]]:
    diagnostics = Diagnostics()
    files = (GoFile("doc.go", "doc.go", text, package_clause(text)),)
    package = read_package(PackageSource("e.io/p", "p", ".", "e.io", files), NoOtherPackages(), diagnostics)
    return package, [(i.code, i.span.line, i.span.column, i.message) for i in diagnostics.sorted()]


@each(
    ("text", "problems"),
    [
        ("type T struct {\n\tA int int\n}", [(2, 8, "unexpected `int`")]),
        ("type T struct {\n\tA int", [(1, 15, "this `{` is not closed")]),
        ("type T struct {\n\tA int\n\ntype B struct {\n}\n", [(1, 15, "this `{` is not closed")]),
        ("tpye T struct {\n\tA int\n}", [(1, 1, "unexpected `tpye`")]),
        ('type T struct {\n\tA int `json:"a"\n}', [(2, 8, "this raw string is not closed")]),
        ('type T struct {\n\tA int "json\n\tB int\n}', [(2, 8, "this string is not closed")]),
        ("type T struct {\n\tA map[string int\n}", [(2, 7, "this `[` is not closed")]),
        ("const (\n\tA =\n\tB = 2\n)", [(3, 2, "unexpected `B`")]),
        ('import (\n\t"a\n)', [(2, 4, 'the closing `"` of a string is missing')]),
        ("type T struct {\n\tA, int\n\tB int\n}", [(3, 2, "unexpected `B`")]),
        ("}\ntype T int", [(1, 1, "unexpected `}`")]),
        ("\x00type T int", [(1, 1, "unexpected character '\\x00'")]),
        ("typ", [(1, 1, "a declaration is expected, not `typ`")]),
        ("x := 3", [(1, 1, "a declaration is expected, not `x := 3`")]),
        ("func f( {\n}", [(1, 8, "`)` is missing")]),
        ("x" * 50, [(1, 1, f"a declaration is expected, not `{'x' * 29}…`")]),
        ("type Ä struct {\n\tÄ /* ä */ int int\n}", [(2, 16, "unexpected `int`")]),
        ("a\n" * 10, [(1, 1, "a declaration is expected, not `a`")]),
    ],
)
def test_syntax_errors(text: str, problems: list[tuple[int, int, str]]) -> None:
    package, found = read("package p\n" + text + "\n")
    wanted = [("VG101", line + 1, column, f"syntax error: {message}") for line, column, message in problems]
    assert found[: len(wanted)] == wanted
    assert len(found) <= 3, "no flood"
    assert package.broken


@pytest.mark.parametrize(
    "text",
    [
        "func f() { x := }",
        'var x = new("Go 1.26")',
        "type T [N]int\ntype U[P *T,] struct{}\ntype V[P any] = W[P]",
        "type T struct\n{\n}",
        "",
    ],
)
def test_no_syntax_errors(text: str) -> None:
    package, found = read("package p\n" + text + "\n")
    assert found == []
    assert not package.broken


def test_the_rest_of_a_broken_package_is_read(read_go: ReadGo, diagnostics: Diagnostics) -> None:
    package = read_go(
        """
        type A struct { F int int }
        func f() { if {
        type B struct { F int }
        const C = 1
        """,
        other="package p\ntype D struct { A }\n",
    )
    assert package.broken
    assert set(package.types) == {"A", "B", "D"}
    assert [const.value for const in package.constants] == [1]
    assert {item.code for item in diagnostics.items} == {"VG101"}


def test_truncated_files_never_raise() -> None:
    for end in range(len(REALISTIC)):
        read(REALISTIC[:end])
    package, found = read(REALISTIC)
    assert found == []
    assert len(package.types) == 5
    assert [const.value for const in package.constants] == ["ab", "c\né", 4, 6, 120]


@settings(max_examples=drawn(200), deadline=None)
@given(st.data())
def test_mangled_files_never_raise(data: st.DataObject) -> None:
    text = REALISTIC
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 20)))
        text = (
            text[:start]
            + data.draw(st.sampled_from(["", "{", "}", "`", '"', "/*", "(", "\x00", "\r", "ü", "type "]))
            + text[end:]
        )
    read(text)


@settings(max_examples=drawn(100), deadline=None)
@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=80))
def test_any_text_never_raises(text: str) -> None:
    read(text)
    read("package p\ntype T struct {" + text)
    read("package p\nconst C T = " + text)


@pytest.mark.parametrize(
    "text", ["type T " + "[]" * 5000 + "int", "type T " + "struct { A " * 2000, "const C = " + "-" * 5000]
)
def test_deep_nesting_never_raises(text: str) -> None:
    read("package p\n" + text)


def test_not_utf8(tree: Callable[..., Path], read_tree: Callable[..., Universe], diagnostics: Diagnostics) -> None:
    root = tree({"go.mod": "module example.com/m\n", "a.go": "package p\ntype A int\n"})
    (root / "b.go").write_bytes(b"package p\n// \xc3\xa4 \xff\ntype B int\n")
    package = read_tree({}).packages["example.com/m"]
    assert (list(package.types), package.broken) == (["A"], True)
    (problem,) = diagnostics.items
    assert (problem.code, str(problem.span), problem.message) == ("VG901", "b.go:2:6", "byte 0xff is not UTF-8")


def test_unreadable_file(
    tree: Callable[..., Path], read_tree: Callable[..., Universe], diagnostics: Diagnostics
) -> None:
    root = tree({"go.mod": "module example.com/m\n", "a.go": "package p\ntype A int\n", "dir.go/b.go": "package q\n"})
    (root / "gone.go").symlink_to("nowhere")
    (root / "loop.go").symlink_to("loop.go")
    universe = read_tree({})
    assert [(i.code, str(i.span)) for i in diagnostics.sorted()] == [("VG901", "gone.go"), ("VG901", "loop.go")]
    assert universe.packages["example.com/m"].broken
    assert "example.com/m/dir.go" in universe.packages, "a directory is not a file, whatever its name"


def test_byte_order_mark(
    tree: Callable[..., Path], read_tree: Callable[..., Universe], diagnostics: Diagnostics
) -> None:
    root = tree({"go.mod": "module example.com/m\n"})
    (root / "a.go").write_bytes(b"\xef\xbb\xbfpackage p; type A int\n")
    span = read_tree({}).packages["example.com/m"].types["A"].span
    assert (span.line, span.column) == (1, 17)
    assert diagnostics.items == []


def test_generated_code_without_declarations_is_not_parsed(read_go: ReadGo, diagnostics: Diagnostics) -> None:
    header = "// Code generated by x. DO NOT EDIT.\n\npackage p\n\n"
    package = read_go("type T int", a=header + "nonsense", b=header + "type U int\n", c=header + "const C = 1\n")
    assert (set(package.types), len(package.constants)) == ({"T", "U"}, 1)
    assert diagnostics.items == []
