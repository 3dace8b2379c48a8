"""Python modules from Go: valid, as black and mypy want them, and in the form that docs/python.md describes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import black
import pytest

from tests.case_folders import inside
from tests.commands.convert.models import SAMPLE, SOURCES, read, write
from validation_gen.commands.convert import convert
from validation_gen.diagnostics import Diagnostics
from validation_gen.sources.languages import PYTHON

each_source = pytest.mark.parametrize("origin", SOURCES)


def modules(directory: Path, diagnostics: Diagnostics | None = None, readonly: tuple[str, ...] = ()) -> dict[str, str]:
    universe, _ = read(directory)
    with inside(directory):  # packages are looked for when they are first asked for
        return convert(universe, PYTHON, diagnostics or Diagnostics(), readonly=readonly)


def module(go: str, directory: Path, diagnostics: Diagnostics | None = None) -> str:
    """The module for the declarations of a package `v1`, without its imports."""
    write(directory, {"go.mod": "module example.com/zoo\n", "v1/types.go": f"package v1\n{go}"})
    text = modules(directory, diagnostics)["v1.py"]
    imports, _, rest = text.partition("\n\n\n")
    assert imports.startswith("from "), text
    return rest


def check_modules(files: Mapping[str, str]) -> None:
    """Checks that modules are Python as black leaves it."""
    for name, text in files.items():
        compile(text, name, "exec")
        assert black.format_str(text, mode=black.Mode()) == text, name


@each_source
def test_modules_are_python_as_black_has_it(origin: Path) -> None:
    check_modules(modules(origin))


def test_the_sample_can_be_imported_and_has_sound_types(tmp_path: Path) -> None:
    pytest.importorskip("mypy", reason="mypy must be installed to judge the types")
    files = modules(SAMPLE)
    assert set(files) == {
        "__init__.py",
        "geo.py",
        "missions/__init__.py",
        "missions/v1alpha1.py",
        "robots/__init__.py",
        "robots/v1.py",
        "robots/v1beta1.py",
    }
    write(tmp_path / "fleet", files)
    program = "import fleet.missions.v1alpha1 as m; m.MissionStatus()"
    for command in (["-W", "error", "-c", program], ["-m", "mypy", "--strict", "fleet"]):
        done = subprocess.run([sys.executable, *command], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


# --- types and fields ------------------------------------------------------------------------------------------------


def test_fields(tmp_path: Path) -> None:
    go = """
import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Animal has a comment.
// +k8s:validation-gen=true
type Animal struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`
	*Tail `json:",inline"`
	PodIPs []string `json:"podIPs,omitempty"`
	// +k8s:optional
	Names  []string `json:"names,omitempty"`
	Raw    []byte `json:"raw,omitempty"`
	Legs   int32 `json:"legs,omitempty"`
	Wings  *int32 `json:"wings"`
	Speed  float32 `json:"speed"`
	Sleep  time.Duration `json:"sleep,omitempty"`
	Parts  map[string]*Tail `json:"parts,omitempty"`
	Any    interface{} `json:"any,omitempty"`
	From   string `json:"from,omitzero"`
	URL    string `json:"link"`
	Hidden string `json:"-"`
	Bare   bool
	Tail2  Tail `json:"tail2,omitempty"`
	Seen   metav1.Time `json:"seen,omitempty"`
	List   string `json:"list"`
}

type Tail struct {}
"""
    text = module(go, tmp_path)
    assert (
        text
        == """\
# Animal has a comment.
# +k8s:validation-gen=true
@dataclass(kw_only=True)
class Animal(TypeMeta):
    # +optional
    metadata: ObjectMeta = field(default_factory=ObjectMeta)
    tail: Annotated[Tail | None, Inline]
    pod_ips: list[str] | None = None

    # +k8s:optional
    names: list[str] = field(default_factory=list)
    raw: bytes = b""
    legs: Annotated[int, Int32] = 0
    wings: Annotated[int, Int32] | None
    speed: Annotated[float, Float32]

    # `time.Duration` in Go: its values are written as int64, without its name.
    sleep: int = 0
    parts: dict[str, Tail | None] | None = None
    any: Any = None
    from_: Annotated[str, Json(omit="omitzero")] = ""
    link: Annotated[str, Json(go="URL")]
    hidden: Annotated[str, Json("-", go="Hidden")]
    bare: Annotated[bool, Json("Bare")]
    tail_2: Tail = field(default_factory=lambda: Tail())
    seen: Annotated[Time, Json(omit="omitempty")]
    list_: str


@dataclass(kw_only=True)
class Tail:
    pass
"""
    )


def test_bases_come_first_and_other_embedded_structs_are_fields(tmp_path: Path) -> None:
    go = """
type Child struct {
	Base
	// with a tag
	Other `json:",inline"`
	Name string `json:"name"`
}

type Grandchild struct {
	Child
	Base `json:",inline"`
}

type Other struct {
	Length int `json:"length"`
}

type Base struct {
	Label string `json:"label"`
}
"""
    text = module(go, tmp_path)
    assert [line for line in text.splitlines() if "class " in line] == [
        "class Base:",
        "class Child(Base):",
        "class Grandchild(Child):",
        "class Other:",
    ]
    assert "    # with a tag\n    other: Annotated[Other, Inline]\n" in text
    assert "    base: Annotated[Base, Inline]\n" in text


def test_enums_aliases_and_constants(tmp_path: Path) -> None:
    go = """
// Phase is how it is.
// +k8s:enum
type Phase string

const (
	PhaseIdle Phase = "Idle"
	// PhaseBusy may be ruled out.
	// +k8s:ifEnabled(Calm)=+k8s:enumExclude
	PhaseBusy Phase = "Busy \\"now\\""
)

// +k8s:enum
type Empty string

// +genclient

// Port is small.
// +k8s:maximum=100
type Port int32

type Ports []*Port

// ColourRed is seen from far.
const ColourRed Colour = "red"

type Colour string

type Old = Ports

const limit = 5
"""
    assert (
        module(go, tmp_path)
        == """\
# Phase is how it is.
class Phase(str, Enum):
    IDLE = "Idle"

    # PhaseBusy may be ruled out.
    # +k8s:ifEnabled(Calm)=+k8s:enumExclude
    BUSY = 'Busy "now"'


# +k8s:enum
Empty: TypeAlias = str


# +genclient


# Port is small.
# +k8s:maximum=100
Port: TypeAlias = Annotated[int, Int32]


Ports: TypeAlias = "list[Port | None]"


Colour: TypeAlias = str


Old = Ports


# ColourRed is seen from far.
COLOUR_RED: Colour = "red"
LIMIT = 5
"""
    )


def test_what_python_cannot_say_is_left_open(tmp_path: Path) -> None:
    go = """
type Odd struct {
	// +k8s:optional
	Fixed    [3]string      `json:"fixed,omitempty"`
	Deep     []**string     `json:"deep"`
	List     *[]string      `json:"list"`
	ByNumber map[int]string `json:"byNumber"`
	Pipe     chan int       `json:"pipe"`
	Far      far.Away       `json:"far"`
}

type Box[T any] struct {
	Item T `json:"item"`
}

type Own struct{}

func (*Own) UnmarshalJSON([]byte) error { return nil }
"""
    diagnostics = Diagnostics()
    text = module(go, tmp_path, diagnostics)
    assert [(d.code, d.severity.value, d.span.line, d.message) for d in diagnostics.sorted()] == [
        ("VG107", "warning", line, f"{what} cannot be converted to Python: {why}")
        for line, what, why in (
            (5, "[3]string", "Python has no type like it"),
            (6, "**string", "there is one way to be absent in Python, not two"),
            (7, "*[]string", "there is one way to be absent in Python, not two"),
            (8, "map[int]string", "its keys are not strings"),
            (9, "chan int", "Python has no type like it"),
            (10, "far.Away", "Python has no type like it"),
            (13, "v1.Box", "it has type parameters"),
            (17, "v1.Own", "its JSON form is made by methods"),
        )
    ]
    assert "    # +k8s:optional\n    # `[3]string` in Go: Python has no type like it.\n    fixed: " in text
    assert '    fixed: Annotated[Any, Json(omit="omitempty")]\n' in text
    assert "    deep: list[Any]\n" in text
    assert "# `v1.Own` in Go: its JSON form is made by methods.\nOwn: TypeAlias = Any\n" in text


def test_what_is_written_with_a_loss_is_told(tmp_path: Path) -> None:
    go = """
import "time"

type Odd struct {
	Wait   time.Duration    `json:"wait"`
	Many   []*time.Duration `json:"many"`
	Plain  string           `json:"plain"`
	Plain  string           `json:"plain"`
	First  string           `json:"same"`
	Second string           `json:"same"`
	Hidden string           `json:"-"`
	Secret string           `json:"-"`
}

type Other struct {
	Plain string `json:"plain"`
}
"""
    diagnostics = Diagnostics()
    text = module(go, tmp_path, diagnostics)
    duration = "its values are written as int64, without its name"
    assert [(d.code, d.severity.value, d.span.line, d.message) for d in diagnostics.sorted()] == [
        ("VG107", "warning", line, f"{what} cannot be converted to Python: {why}")
        for line, what, why in (
            (6, "time.Duration", duration),
            (7, "time.Duration", duration),
            (9, "Odd.Plain", "it is declared twice, which Go does not compile"),
            (11, "Odd.Second", "another field has its JSON name `same`, and Go decodes neither"),
        )
    ]
    assert f"    # `time.Duration` in Go: {duration}.\n    wait: int\n" in text
    assert "    # `Odd.Plain` in Go: it is declared twice, which Go does not compile.\n    plain_2: " in text


# --- names and comments ----------------------------------------------------------------------------------------------


def test_names_of_the_package_come_before_imported_ones(tmp_path: Path) -> None:
    go = """
import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Any struct {
	Inner interface{}           `json:"inner"`
	When  metav1.Time           `json:"when"`
	PodIP string                `json:"podIp"`
	Other string                `json:"podIP"`
}

type Time struct {}
"""
    text = module(go, tmp_path)
    assert "    inner: PyAny\n    when: MetaTime\n" in text
    assert '    pod_ip: Annotated[str, Json("podIp", go="PodIP")]\n' in text
    assert '    pod_ip_2: Annotated[str, Json("podIP", go="Other")]\n' in text


def test_comments_of_all_kinds(tmp_path: Path) -> None:
    go = """
/*
A block\tof
  text \\ with \x0c and \"""
*/
type Odd struct {
	//no blank
	//	a listing
	//
	// +k8s:optional
	Name string `json:"name"`
}
"""
    assert (
        module(go, tmp_path)
        == """\
#
# A block\tof
#  text \\ with \\x0c and \"""
#
@dataclass(kw_only=True)
class Odd:
    # no blank
    # \ta listing
    #
    # +k8s:optional
    name: str
"""
    )


def test_what_black_wants_to_be_different(tmp_path: Path) -> None:
    name = "VeryLongNameOfAStructThatNobodyWantsToReadTwiceInOneLine"
    go = f"""
type {name} struct {{
	// a list:
	//   type: Exact
	A string `json:"a"`
}}

type {name}AndMore struct {{
	{name}
}}
"""
    text = module(go, tmp_path)
    assert "    # a list:\n    # type: Exact\n    a: str\n" in text
    assert f"class {name}AndMore(\n    {name}\n):\n    pass\n" in text
    whole = modules(tmp_path)["v1.py"]
    assert black.format_str(whole, mode=black.Mode()) == whole


def test_the_docstring(tmp_path: Path) -> None:
    doc = """\
/*
Copyright us.
*/

// +k8s:validation-gen=*
// +groupName=a.b

// Package v1 has a \\ and a \""".
//
//	x
package v1
"""
    write(tmp_path, {"go.mod": "module example.com/zoo\n", "v1/doc.go": doc})
    assert (
        modules(tmp_path)["v1.py"]
        == """\
# Copyright us.

\"""Package v1 has a \\\\ and a \\"\\"\\".

    x

+k8s:validation-gen=*
+groupName=a.b
\"""
"""
    )


def test_the_group_of_a_constant_becomes_a_directive(tmp_path: Path) -> None:
    write(tmp_path, {"go.mod": "module m\n", "v1/register.go": 'package v1\n\nconst GroupName = "a.b"\n'})
    assert modules(tmp_path)["v1.py"] == '"""+groupName=a.b"""\n\nGROUP_NAME = "a.b"\n'


# --- places ----------------------------------------------------------------------------------------------------------

_INNER = 'package inner\n\ntype Part struct {\n\tName string `json:"name"`\n}\n'


def _outer(path: str) -> str:
    return f'package outer\n\nimport "{path}"\n\ntype Whole struct {{\n\tPart inner.Part `json:"part"`\n}}\n'


def test_packages_above_and_below_each_other(tmp_path: Path) -> None:
    write(tmp_path, {"go.mod": "module m\n", "types.go": _outer("m/a-b/inner"), "a-b/inner/types.go": _INNER})
    files = modules(tmp_path)
    assert set(files) == {"__init__.py", "a_b/__init__.py", "a_b/inner.py"}
    assert "from .a_b.inner import Part\n" in files["__init__.py"]
    write(tmp_path / "m", files)
    subprocess.run([sys.executable, "-c", "import m; m.Whole(part=m.Part(name=''))"], cwd=tmp_path, check=True)


def test_packages_that_are_referred_to_are_converted_too(tmp_path: Path) -> None:
    go_mod = "module example.com/m\n\nreplace example.com/far => ../far\n"
    write(tmp_path, {"m/go.mod": go_mod, "m/v1/types.go": _outer("example.com/far/inner")})
    write(tmp_path, {"far/go.mod": "module example.com/far\n", "far/inner/types.go": _INNER})
    files = modules(tmp_path / "m")
    assert set(files) == {"__init__.py", "v1.py", *(f"example_com/{f}" for f in ("__init__.py", "far/__init__.py"))} | {
        "example_com/far/inner.py"
    }
    assert "from .example_com.far.inner import Part\n" in files["v1.py"]
    again = modules(tmp_path / "m", readonly=("example.com/far/...",))
    assert (set(again), again["v1.py"]) == ({"__init__.py", "v1.py"}, files["v1.py"])
