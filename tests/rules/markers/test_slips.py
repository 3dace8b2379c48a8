"""Lines that people take for markers and that are none: by how they begin, or by where they stand."""

from __future__ import annotations

import pytest

from tests.rules.markers.sources import read_field, read_text
from tests.tables import each
from validation_gen.rules.markers.spelling import find_slip

V = "kubebuilder:validation:"


@each(
    ("line", "written", "meant"),
    [
        (f"{V}MinLength=1", f"{V}MinLength", f"+{V}MinLength"),
        (f"+ {V}MinLength=1", f"+ {V}MinLength", f"+{V}MinLength"),
        (f"++{V}MinLength=1", f"++{V}MinLength", f"+{V}MinLength"),
        ("+ optional", "+ optional", "+optional"),
        ("++listType=map", "++listType", "+listType"),
        ("+kubebuilder validation:MinLength=1", "+kubebuilder validation:MinLength", f"+{V}MinLength"),
        ("Kubebuilder:Validation:Optional", "Kubebuilder:Validation:Optional", f"+{V}Optional"),
        ("+ kubebuilder:printcolumn:name=A", "+ kubebuilder:printcolumn:name", "+kubebuilder:printcolumn:name"),
    ],
)
def test_a_line_that_begins_nearly_like_a_marker(line: str, written: str, meant: str) -> None:
    slip = find_slip(line)
    assert slip is not None
    assert (line[slip.start : slip.end], slip.meant) == (written, meant)
    _, read = read_field(line)
    assert read.found == [f"VG521 {written} is no marker, so it has no effect"]
    assert read.diagnostics[0].help == f"did you mean {meant}?"
    assert read.diagnostics[0].fix is not None


@each(
    "line",
    [
        f"+{V}MinLength=1",
        "optional",
        "listType=map",
        "kubebuilder:validation markers are read",
        f"see {V}MinLength=1",
        f"{V}MinLength is what this is like",
        "+ optional fields may be left out",
        "1 + default = 2",
        "+kubebuilder:rbac:groups=apps",
    ],
)
def test_prose_is_no_slip(line: str) -> None:
    assert find_slip(line) is None


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("kubebuilder:Validation:MinLength", f"{V}MinLength"),
        ("kubebuilder:validation::MinLength", f"{V}MinLength"),
        ("kubebuilder:validaton:MinLength", f"{V}MinLength"),
        ("kubebuilder:SubResource:status", "kubebuilder:subresource:status"),
    ],
)
def test_a_slip_in_the_middle_of_a_name(name: str, meant: str) -> None:
    markers = f"+{name}=1" if "Min" in name else f"+{name}"
    _, read = read_field(markers)
    assert read.found == [f"VG521 unknown marker +{name}"]
    assert read.diagnostics[0].help == f"did you mean +{meant}?"


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("+kubebuilder:resource::path=bots", "kubebuilder:resource"),
        ("+kubebuilder:resource:path:bots", "kubebuilder:resource"),
        ("+kubebuilder:printcolumn::name=A,type=string,JSONPath=.a", "kubebuilder:printcolumn"),
    ],
)
def test_one_colon_too_many(line: str, meant: str) -> None:
    read = read_text(f"{line}\ntype T struct{{}}".replace("+", "// +", 1))
    assert read.found == [f"VG521 unknown marker {line.partition('=')[0]}"]
    assert read.diagnostics[0].help == f"did you mean +{meant}?"


def test_a_blank_behind_a_colon_is_one_finding() -> None:
    _, read = read_field("+kubebuilder:validation: MaxLength=3")
    assert read.found == ["VG521 +kubebuilder:validation: MaxLength is no marker, so it has no effect"]


@pytest.mark.parametrize(
    ("line", "help"),
    [
        (f"+{V}MaxLength =3", f"did you mean +{V}MaxLength=3?"),
        (f"+{V}MaxLength 3", f"did you mean +{V}MaxLength=3?"),
        (f"+{V}MaxLength many", f"for example: +{V}MaxLength=63"),
    ],
)
def test_a_blank_before_the_value(line: str, help: str) -> None:
    _, read = read_field(line)
    assert read.found == [f"VG520 +{V}MaxLength: the line has no effect, as only '=' can follow the name"]
    assert read.diagnostics[0].help == help


def test_markers_that_belong_to_nothing() -> None:
    read = read_text(
        """
        type T struct {
            A string `json:"a"` // +kubebuilder:validation:MinLength=1

            B string `json:"b"` // +optional
            C string `json:"c"`
            // +kubebuilder:validation:MinLength=2
        }

        // +kubebuilder:validation:Enum=a;b
        func f() {
            // +optional
        }

        // +kubebuilder:validation:MinLength=3
        const N = 1 // about numbers
        """
    )
    behind, nowhere = "has no effect behind other code on its line", "belongs to no declaration, so it has no effect"
    assert sorted((d.span.line, d.code, d.message.partition(": ")[2]) for d in read.diagnostics) == [
        (4, "VG522", f"+{V}MinLength {behind}"),
        (6, "VG522", f"+optional {behind}"),
        (8, "VG522", f"+{V}MinLength {nowhere}"),
        (11, "VG522", f"+{V}Enum {nowhere}"),
        (16, "VG522", f"+{V}MinLength {nowhere}"),
    ]
    assert read.fields["T.a"].keywords == {}
