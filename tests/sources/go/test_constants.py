from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.tables import each
from validation_gen.diagnostics import Diagnostics
from validation_gen.sources.model import Package, Universe

ReadGo = Callable[..., Package]


def values(package: Package) -> dict[str, object]:
    return {const.name: const.value for const in package.constants}


def types(package: Package) -> dict[str, str]:
    return {const.name: str(const.type) for const in package.constants}


@each(
    ("expression", "value", "type_"),
    [
        ('"a"', "a", "None"),
        ('"a" + `b` + ("c")', "abc", "None"),
        ('"a" /* x */ + "b"', "ab", "None"),
        (r'"\u00e9\n"', "é\n", "None"),
        ('T("x")', "x", "example.com/m.T"),
        ('(T)("x" + "y")', "xy", "example.com/m.T"),
        ('T("x") + "y"', "xy", "example.com/m.T"),
        ('"x" + Typed', "xtyped", "example.com/m.T"),
        ("Typed", "typed", "example.com/m.T"),
        ('meta.ConditionStatus("x")', "x", "k8s.io/apimachinery/pkg/apis/meta/v1.ConditionStatus"),
        ("meta.ConditionTrue", "True", "k8s.io/apimachinery/pkg/apis/meta/v1.ConditionStatus"),
        ("(meta.NamespaceDefault)", "default", "None"),
        ("1 + 2*3", 7, "None"),
        ("1 << 10 | 3 & 2 ^ 1", 1027, "None"),
        ("7 &^ 2", 5, "None"),
        ("1 << 3 >> 1", 4, "None"),
        ("-7 / 2", -3, "None"),
        ("-7 % 3", -1, "None"),
        ("7 / -2", -3, "None"),
        ("+5", 5, "None"),
        ("^0", -1, "None"),
        ("^uint8(1)", 254, "uint8"),
        ("^Bits(0)", 0xFFFF, "example.com/m.Bits"),
        ("byte(3)", 3, "uint8"),
        ("int64(3.0)", 3, "int64"),
        ("float64(3)", 3.0, "float64"),
        ("Ratio(1) / 2", 0.5, "example.com/m.Ratio"),
        ("string('a')", "a", "string"),
        ("'a' + 1", 98, "None"),
        ("0x10 + 0b1 + 0o7 + 010 + 1_0", 42, "None"),
        ("1.5 * 2", 3.0, "None"),
        ("1 / 2.0", 0.5, "None"),
        ("true", True, "None"),
        ("!true || 1 < 2 && Two == 2", True, "None"),
        ('"a" < "b"', True, "None"),
        ("bool(false)", False, "bool"),
        ('len("é")', 2, "int"),
        ("2 * Two", 4, "None"),
        ("uint8(1) << Two", 4, "uint8"),
        ("1 << 600", None, "None"),
        ("1 << (1 << 40)", None, "None"),
        ("1 / 0", None, "None"),
        ("1.0 / 0", None, "None"),
        ("1e308 * 10", None, "None"),
        ('"a" + 1', None, "None"),
        ('"a" - "b"', None, "None"),
        ("true + true", None, "None"),
        ("true < false", None, "None"),
        ("-true", None, "None"),
        ('-"a"', None, "None"),
        ("!1", None, "None"),
        ("1 && 2", None, "None"),
        ("1.5 % 2", None, "None"),
        ("int(1.5)", None, "int"),
        ('int("a")', None, "int"),
        ('bool("a")', None, "bool"),
        ("string(true)", None, "string"),
        ("nowhere.X", None, "None"),
        ("Missing", None, "None"),
        ("f(1)", None, "None"),
        ("f(1, 2)", None, "None"),
        ("len(Missing)", None, "None"),
        ("unsafe.Sizeof(1)", None, "None"),
        ('[]byte("a")', None, "None"),
        ("a.b.c", None, "None"),
        ("(" * 300 + "1" + ")" * 300, None, "None"),
        ("+".join(["1"] * 2000), 2000, "None"),
        ("+".join(['"a"'] * 2000), "a" * 2000, "None"),
    ],
)
def test_expressions(read_go: ReadGo, expression: str, value: object, type_: str) -> None:
    package = read_go(
        f"""
        import meta "k8s.io/apimachinery/pkg/apis/meta/v1"
        import "unsafe"
        type T string
        type Bits uint16
        type Ratio Alias
        type Alias = float64
        const Typed T = "typed"
        const Two = 2
        const C = {expression}
        func f(int) int {{ return 0 }}
        """
    )
    found = values(package)["C"]
    assert (found, type(found)) == (value, type(value))
    assert types(package)["C"] == type_


def test_iota_and_repetition(read_go: ReadGo) -> None:
    package = read_go(
        """
        type T int
        const (
            A T = iota + 1
            B
            _
            // doc of D
            D // behind
            E, F = iota, "f"
            G, H
            I = "i"
            J
            K = 1 << iota
        )
        const L = iota
        const (
            M, N float64 = iota, iota
        )
        """
    )
    found = values(package)
    assert " ".join(f"{name}={value}" for name, value in found.items()) == (
        "A=1 B=2 D=4 E=4 F=f G=5 H=f I=i J=i K=256 L=0 M=0.0 N=0.0"
    )
    assert [name for name, type_ in types(package).items() if type_ == "example.com/m.T"] == ["A", "B", "D"]
    assert types(package)["N"] == "float64"
    comments = {const.name: [line.text for line in const.comments] for const in package.constants}
    assert comments["D"] == [" doc of D"]
    assert comments["E"] == [" behind"], "upstream takes the trailing comment of the line above"
    span = package.constants[2].span
    assert (span.file, span.line, span.column, span.end_column) == ("types.go", 7, 5, 6)


def test_declared_types(read_go: ReadGo) -> None:
    package = read_go(
        """
        import "k8s.io/apimachinery/pkg/types"
        type T string
        const (
            A T = "a"
            B types.PatchType = "b"
            C string = "c"
            D byte = 1
            E = A
            F string = string(A)
            G *T = nil
            H U = "h"
        )
        """
    )
    assert types(package) == {
        "A": "example.com/m.T",
        "B": "k8s.io/apimachinery/pkg/types.PatchType",
        "C": "string",
        "D": "uint8",
        "E": "example.com/m.T",
        "F": "string",
        "G": "None",
        "H": "None",
    }
    assert values(package)["F"] == "a"


def test_order_does_not_matter(read_go: ReadGo) -> None:
    package = read_go("const A = B + 1\nconst B = C + 1\n", later="package p\nconst C = 1\n")
    assert values(package) == {"C": 1, "A": 3, "B": 2}


def test_cycles_end(read_go: ReadGo, diagnostics: Diagnostics) -> None:
    package = read_go("type T int\nconst A T = B\nconst B = A\nconst C = C\nconst D = 1\n")
    assert values(package) == {"A": None, "B": None, "C": None, "D": 1}
    assert {item.code for item in diagnostics.items} == {"VG304"}


def test_constants_that_double_stay_bounded(read_go: ReadGo) -> None:
    lines = ['const A0 = "abcdefgh"'] + [f"const A{i} = A{i - 1} + A{i - 1}" for i in range(1, 64)]
    assert values(read_go("\n".join(lines)))["A63"] is None


def test_unknown_values_are_reported_where_they_may_be_values_of_an_enum(
    read_go: ReadGo, diagnostics: Diagnostics
) -> None:
    read_go("type T string\nconst A T = other.B\nconst B = other.B\nconst C string = other.B\n")
    (problem,) = diagnostics.items
    assert (problem.code, problem.severity.value, str(problem.span)) == ("VG304", "warning", "types.go:2:7")
    assert problem.message == "the value of constant `A` of type `T` cannot be evaluated"


def test_constants_of_other_packages(read_tree: Callable[..., Universe], diagnostics: Diagnostics) -> None:
    universe = read_tree(
        {
            "go.mod": "module example.com/m\n",
            "a/a.go": 'package a\nimport "example.com/m/b"\nconst A = b.B + "a"\ntype T = b.T\nconst D = T(2) / 3\n',
            "b/b.go": 'package b\nimport "example.com/m/c"\ntype T float64\nconst B = c.C + "b"\n',
            "c/c.go": 'package c\nimport "time"\nconst C T = "c"\ntype T string\nconst H = 36 * time.Hour\n',
        }
    )
    packages = {path.rpartition("/")[2]: universe.packages[path] for path in sorted(universe.packages)}
    assert values(packages["a"])["A"] == "cba"
    assert types(packages["a"])["A"] == "example.com/m/c.T"
    assert values(packages["a"])["D"] == pytest.approx(2 / 3)
    assert values(packages["c"])["H"] == 36 * 3600 * 10**9
    assert types(packages["c"])["H"] == "time.Duration"
    assert diagnostics.items == []


def test_import_cycles_end(read_tree: Callable[..., Universe]) -> None:
    universe = read_tree(
        {
            "go.mod": "module example.com/m\n",
            "a/a.go": 'package a\nimport "example.com/m/b"\nconst A = b.B\n',
            "b/b.go": 'package b\nimport "example.com/m/a"\nconst B = a.A\nconst C = 1\n',
        }
    )
    assert values(universe.packages["example.com/m/b"]) == {"B": None, "C": 1}


def test_math_limits(read_go: ReadGo) -> None:
    package = read_go(
        'import "math"\nconst A = math.MaxInt32\nconst B = math.MaxUint64\nconst C = -math.MaxInt16 - 1\n'
    )
    assert values(package) == {"A": 2**31 - 1, "B": 2**64 - 1, "C": -(2**15)}
