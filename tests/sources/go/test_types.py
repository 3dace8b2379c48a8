from __future__ import annotations

import textwrap
from collections.abc import Callable

from tests.tables import each
from validation_gen.diagnostics import Diagnostics
from validation_gen.sources.model import Field, Map, Named, Package, Struct, TypeExpr, Universe, Unsupported

ReadGo = Callable[..., Package]


def fields(package: Package, name: str = "T") -> dict[str, Field]:
    struct = package.types[name].type
    assert isinstance(struct, Struct)
    return {field.go_name: field for field in struct.fields}


@each(
    ("source", "wanted"),
    [
        ("string", "string"),
        ("byte", "uint8"),
        ("rune", "int32"),
        ("any", "interface{}"),
        ("error", "interface{}"),
        ("interface{ F() }", "interface{}"),
        ("*string", "*string"),
        ("**int", "**int"),
        ("[]byte", "[]uint8"),
        ("[][]string", "[][]string"),
        ("[3]int8", "[3]int8"),
        ("[2*N]int", "[2*N]int"),
        ("map[string]*U", "map[string]*example.com/m.U"),
        ("map[U][]map[string]bool", "map[example.com/m.U][]map[string]bool"),
        ("(string)", "string"),
        ("*([](U))", "*[]example.com/m.U"),
        ("U", "example.com/m.U"),
        ("unexported", "example.com/m.unexported"),
        ("Missing", "example.com/m.Missing"),
        ("meta.Time", "k8s.io/apimachinery/pkg/apis/meta/v1.Time"),
        ("*types.UID", "*k8s.io/apimachinery/pkg/types.UID"),
    ],
)
def test_type_expressions(read_go: ReadGo, diagnostics: Diagnostics, source: str, wanted: str) -> None:
    package = read_go(
        f"""
        import meta "k8s.io/apimachinery/pkg/apis/meta/v1"
        import "k8s.io/apimachinery/pkg/types"
        type T struct {{ F {source} }}
        type U int
        type unexported struct{{}}
        var _ meta.Time; var _ types.UID
        """
    )
    assert str(fields(package)["F"].type) == wanted
    assert diagnostics.items == []


@each(
    ("source", "kind", "text"),
    [
        ("chan int", "Chan", "chan int"),
        ("<-chan  int", "Chan", "<-chan int"),
        ("func(a int) string", "Func", "func(a int) string"),
        ("G[int]", "Generic", "G[int]"),
        ("x.G[ int,\n string]", "Generic", "x.G[ int, string]"),
        ("K", "TypeParam", "K"),
        ("[]" * 60 + "int", "Nested", "[]" * 10 + "int"),
    ],
)
def test_unsupported_types(read_go: ReadGo, source: str, kind: str, text: str) -> None:
    package = read_go(f"type T[K any, V comparable] struct {{ F {source} }}\ntype G[A any] struct{{}}")
    type_: TypeExpr = fields(package)["F"].type
    while not isinstance(type_, Unsupported):
        type_ = type_.elem  # type: ignore[union-attr]
    assert (type_.kind, type_.text) == (kind, text)
    assert package.types["T"].parameters == ("K", "V")


def test_declarations(read_go: ReadGo) -> None:
    package = read_go(
        """
        type A B
        type B []string
        type C = B
        type (
            // doc of D
            D struct{}
            E int; F map[string]E
        )
        type string int
        type G string
        type _ int
        type a struct{}
        type Set[T comparable] map[T]struct{}
        type P *D
        type I interface{ M() }
        type A int
        """
    )
    assert {name: str(declared.type) for name, declared in package.types.items()} == {
        "A": "example.com/m.B",
        "B": "[]example.com/m.string",
        "C": "example.com/m.B",
        "D": "struct{…}",
        "E": "int",
        "F": "map[example.com/m.string]example.com/m.E",
        "string": "int",
        "G": "example.com/m.string",
        "a": "struct{…}",
        "Set": "map[T]example.com/m.Set_Elem",
        "Set_Elem": "struct{…}",
        "P": "*example.com/m.D",
        "I": "interface{}",
    }
    assert [name for name, declared in package.types.items() if declared.alias] == ["C"]
    assert [line.text for line in package.types["D"].closest] == [" doc of D"]
    assert not package.types["a"].exported
    span = package.types["D"].span
    assert (span.file, span.line, span.column, span.end_column) == ("types.go", 6, 5, 6)


def test_struct_fields(read_go: ReadGo) -> None:
    package = read_go(
        """
        type T struct {
            // shared
            A, B string `json:"x,omitempty"`
            NoTag int
            lower int `json:"lower"`
            _ int
            Omitted int `json:"-"`
            Dash int `json:"-,"`
            NoName int `json:",omitzero"`
            Inline U `json:",inline"`
            NamedInline U `json:"n,inline"`
            Interpreted int "json:\\"i,omitempty\\""
            Other int `yaml:"o"`
            Raw int `protobuf:"bytes,1" json:"r"`
        }
        type U struct{}
        """
    )
    found = fields(package)
    assert {name: (f.json, f.inline, f.omitted, f.omit, f.path_name) for name, f in found.items()} == {
        "A": ("x", False, False, "omitempty", "x"),
        "B": ("x", False, False, "omitempty", "x"),
        "NoTag": ("NoTag", False, False, "", "NoTag"),
        "Omitted": ("", False, True, "", ""),
        "Dash": ("-", False, False, "", "-"),
        "NoName": ("NoName", False, False, "omitzero", "NoName"),
        "Inline": ("Inline", True, False, "", ""),
        "NamedInline": ("n", True, False, "", ""),
        "Interpreted": ("i", False, False, "omitempty", "i"),
        "Other": ("Other", False, False, "", "Other"),
        "Raw": ("r", False, False, "", "r"),
    }
    assert [line.text for line in found["A"].comments] == [" shared"]
    assert found["A"].comments == found["B"].comments
    assert (found["B"].span.line, found["B"].span.column, found["B"].span.end_column) == (3, 8, 9)


def test_embedded_fields(read_go: ReadGo) -> None:
    package = read_go(
        """
        import meta "k8s.io/apimachinery/pkg/apis/meta/v1"
        type T struct {
            // first
            A
            *B `json:",inline"`
            meta.TypeMeta
            *meta.ObjectMeta `json:"metadata,omitempty"`
            C `json:"-"`
            G[int]
            lower
            *lower2
            meta.lower3
        }
        type A struct{}
        type B struct{}
        type C struct{}
        type G[X any] struct{}
        type lower struct{ F int }
        """
    )
    found = fields(package)
    assert {name: (str(f.type), f.json, f.inline, f.omitted, f.embedded) for name, f in found.items()} == {
        "A": ("example.com/m.A", "", True, False, True),
        "B": ("*example.com/m.B", "", True, False, True),
        "TypeMeta": ("k8s.io/apimachinery/pkg/apis/meta/v1.TypeMeta", "", True, False, True),
        "ObjectMeta": ("*k8s.io/apimachinery/pkg/apis/meta/v1.ObjectMeta", "metadata", False, False, True),
        "C": ("example.com/m.C", "", False, True, True),
        "G": ("G[int]", "", True, False, True),
    }
    assert [line.text for line in found["A"].comments] == [" first"]


def test_structs_without_a_name_are_hoisted(read_go: ReadGo) -> None:
    package = read_go(
        """
        type T struct {
            // doc of F
            F struct {
                // doc of Inner
                Inner []struct{ Deep *int } `json:"inner"`
            } `json:"f"`
            M map[string]*struct{ X int }
            K map[struct{ Y int }]string
        }
        type T_M int
        type L []struct{ Z bool }
        """
    )
    found = fields(package)
    assert [str(found[name].type) for name in "FMK"] == [
        "example.com/m.T_F",
        "map[string]*example.com/m.T_M2",
        "map[example.com/m.T_K_Key]string",
    ]
    assert str(fields(package, "T_F")["Inner"].type) == "[]example.com/m.T_F_Inner"
    assert [line.text for line in fields(package, "T_F")["Inner"].comments] == [" doc of Inner"]
    assert list(fields(package, "T_F_Inner")) == ["Deep"]
    assert str(package.types["L"].type) == "[]example.com/m.L_Elem"
    assert package.types["T_F"].closest == ()
    assert str(package.types["T_M"].type) == "int"


def test_fields_of_one_declaration_on_several_lines_have_their_own_lines(read_go: ReadGo) -> None:
    found = fields(read_go("type T struct {\n// of A\nA,\n// of B\nB int\n}"))
    assert {name: [line.text for line in f.comments] for name, f in found.items()} == {"A": [" of A"], "B": [" of B"]}


def test_names_are_known_in_all_files(read_go: ReadGo) -> None:
    package = read_go("type T struct{ F int }", other="package p\ntype int struct{}\n")
    assert fields(package)["F"].type == Named("example.com/m", "int")


def test_doc_comments(read_go: ReadGo) -> None:
    package = read_go(
        """
        // +k8s:second

        // Doc.
        // +k8s:first
        type T struct {
            A int // +k8s:of=b
            B int
            // lost

            C int
        }
        """
    )
    declared = package.types["T"]
    assert [line.text for line in declared.closest] == [" Doc.", " +k8s:first"]
    assert [line.text for line in declared.second_closest] == [" +k8s:second"]
    found = fields(package)
    assert [[line.text for line in f.comments] for f in found.values()] == [[], [" +k8s:of=b"], []]


def test_columns_count_characters(read_go: ReadGo) -> None:
    source = 'type Tä struct { /* äöü😀 */ Fä map[string]Gä /* é */; H int `json:"ö"` }; type Gä int'
    package = read_go(source)
    line = "package p; " + source
    found = fields(package, "Tä")
    map_type = found["Fä"].type
    assert isinstance(map_type, Map)
    assert isinstance(map_type.elem, Named)
    spans = {"Fä": found["Fä"].span, "Gä": map_type.elem.span, "H": found["H"].span, "Tä": package.types["Tä"].span}
    for text, span in spans.items():
        assert span is not None
        assert line[span.column - 1 : span.end_column - 1] == text
    assert found["H"].json == "ö"


def test_crlf(read_go: ReadGo) -> None:
    text = """
        // Doc.
        // +k8s:x
        type T struct {
            // of F
            F int `json:"f"
        yaml:"g"`
        }
        """
    package = read_go(textwrap.dedent(text).replace("\n", "\r\n"))
    assert [line.text for line in package.types["T"].closest] == [" Doc.", " +k8s:x"]
    field = fields(package)["F"]
    assert [line.text for line in field.comments] == [" of F"]
    assert field.json == "f"


def test_methods_that_decode(read_go: ReadGo) -> None:
    package = read_go(
        """
        type A struct{}
        type B struct{}
        type C[T any] struct{}
        type D struct{}
        type E struct{ A }
        func (a *A) UnmarshalJSON(b []byte) error { return nil }
        func (B) UnmarshalText([]byte) error { return nil }
        func (c *C[T]) UnmarshalJSON(b []byte) error { return nil }
        func (d D) MarshalJSON() ([]byte, error) { return nil, nil }
        func (e E) String() string { type E struct{}; const A = 1; return "" }
        func UnmarshalJSON() {}
        """
    )
    assert {name for name, declared in package.types.items() if declared.custom_json} == {"A", "B", "C"}


def test_package_comments_are_those_of_doc_go(read_go: ReadGo) -> None:
    package = read_go(
        "// not this\ntype T int",
        doc="// Header.\n\n// +k8s:validation-gen=*\n\n// Doc.\npackage p // behind\n\nvar x = 1 /* end */\n",
    )
    assert [line.text.strip() for line in package.comments] == [
        "Header.",
        "+k8s:validation-gen=*",
        "Doc.",
        "behind",
        "end",
    ]
    assert package.comments[1].span.file == "doc.go"


@each(
    ("imports", "qualifier", "wanted"),
    [
        ('x "a.io/b"', "x", "a.io/b"),
        ('"a.io/b"', "b", "a.io/b"),
        ("`a.io/b`", "b", "a.io/b"),
        ('"k8s.io/klog/v2"', "klog", "k8s.io/klog/v2"),
        ('"a.io/api/v1"', "v1", "a.io/api/v1"),
        ('"a.io/api/v2"', "v2", "a.io/api/v2"),
        ('"gopkg.in/yaml.v3"', "yaml", "gopkg.in/yaml.v3"),
        ('"a.io/go-foo"', "foo", "a.io/go-foo"),
        ('"a.io/foo-go"', "foo", "a.io/foo-go"),
        ('"a.io/foo-bar"', "foobar", "a.io/foo-bar"),
        ('"a.io/x/go-b"; "a.io/b"', "b", "a.io/b"),
        ('"example.com/m/other"', "real", "example.com/m/other"),
        ('"a.io/real"; "example.com/m/other"', "real", "example.com/m/other"),
        ('_ "a.io/b"; b "a.io/c"', "b", "a.io/c"),
    ],
)
def test_qualifiers(
    read_tree: Callable[..., Universe], diagnostics: Diagnostics, imports: str, qualifier: str, wanted: str
) -> None:
    universe = read_tree(
        {
            "go.mod": "module example.com/m\n",
            "types.go": f"package p\nimport ({imports})\ntype T struct {{ F {qualifier}.X }}\n",
            "other/other.go": "package real\n",
        }
    )
    assert str(fields(universe.packages["example.com/m"])["F"].type) == f"{wanted}.X"
    assert diagnostics.items == []


def test_package_clause_decides_over_the_path(read_tree: Callable[..., Universe], diagnostics: Diagnostics) -> None:
    universe = read_tree(
        {
            "go.mod": "module example.com/m\n",
            "types.go": 'package p\nimport "example.com/m/other"\ntype T struct { F other.X }\n',
            "other/other.go": "package real\n",
        }
    )
    assert fields(universe.packages["example.com/m"])["F"].type == Unsupported("Unresolved", "other.X")
    assert [item.code for item in diagnostics.items] == ["VG301"]


def test_unknown_qualifier(read_go: ReadGo, diagnostics: Diagnostics) -> None:
    read_go('import metav1 "a.io/b"\ntype T struct {\n\tF *meta1.Time\n}')
    (problem,) = diagnostics.items
    assert (problem.code, str(problem.span), problem.span.end_column) == ("VG301", "types.go:3:5", 15)
    assert problem.message == "`meta1` in `meta1.Time` is not an imported package"
    assert problem.help == "did you mean `metav1`?"


def test_dot_imports(read_tree: Callable[..., Universe]) -> None:
    files = {
        "go.mod": "module example.com/m\n",
        "a/a.go": 'package a\nimport . "example.com/m/b"\nimport . "a.io/nowhere"\n'
        "type T struct { F X; G Y; H Own; I lower }\ntype Own int\nconst C = N\n",
        "b/b.go": "package b\ntype X int\nconst N = 3\n",
    }
    package = read_tree(files).packages["example.com/m/a"]
    assert [str(f.type) for f in fields(package).values()] == [
        "example.com/m/b.X",
        "a.io/nowhere.Y",
        "example.com/m/a.Own",
        "example.com/m/a.lower",
    ]
    assert package.constants[0].value == 3


def test_a_comment_apart_belongs_to_the_next_declaration_alone(read_go: ReadGo) -> None:
    """It is behind what stands above the declaration, whatever comments are between the two."""
    package = read_go(
        """
        package m

        // apart of A

        // A is first.
        type A struct{}

        // B is second, and nothing is apart.
        type B struct{}

        // apart of C

        type C struct{}

        const X = 1 // behind a constant

        type D struct{}
        """
    )
    found = {name: [line.text.strip() for line in package.types[name].apart] for name in "ABCD"}
    assert found == {"A": ["apart of A"], "B": [], "C": ["apart of C"], "D": []}
