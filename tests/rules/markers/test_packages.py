"""What markers say of packages, in whatever file they stand."""

from __future__ import annotations

from tests.rules.markers.sources import Read, read_text
from tests.tables import each
from validation_gen.rules.markers import PackageNotes

TYPES = "type T struct{}\n"


def package(read: Read) -> PackageNotes:
    (notes,) = read.packages.values()
    notes.spans.clear()
    return notes


@each(
    ("markers", "wanted"),
    [
        ("", PackageNotes()),
        ("+groupName=example.com", PackageNotes(group="example.com")),
        ("+groupName=", PackageNotes(group="")),
        ("+versionName=v1beta1", PackageNotes(version="v1beta1")),
        ("+kubebuilder:skip", PackageNotes(skip=True)),
        ("+kubebuilder:validation:Optional", PackageNotes(presence="optional")),
        ("+kubebuilder:validation:Required", PackageNotes(presence="required")),
        (
            "+kubebuilder:validation:Required\n// +kubebuilder:validation:Optional",
            PackageNotes(presence="optional"),
        ),
    ],
)
@each(
    "file",
    [
        "// {}\npackage v1\n",
        "// Package v1 is one.\n// {}\npackage v1\n\nvar x = 1\n",
        "package v1\n\n// {}\n\nvar x = 1\n",
        "package v1\n\n// {}\n\n// T2 is another.\ntype T2 struct{{}}\n",
        "package v1\n\nvar x = 1\n\n// {}\n",
    ],
)
@each("name", ["doc", "groupversion_info"])
def test_a_package(name: str, file: str, markers: str, wanted: PackageNotes) -> None:
    read = read_text(TYPES, **{name: file.format(markers)})
    assert package(read) == wanted
    assert read.found == []


def test_comments_of_declarations_are_not_the_packages() -> None:
    read = read_text(
        """
        // +groupName=a
        type T struct {
            // +kubebuilder:validation:Optional

            // +versionName=b
            F string `json:"f"`
        }

        // +kubebuilder:skip
        func f() {
            // +kubebuilder:skip
        }
        """
    )
    assert package(read) == PackageNotes()
    assert read.found == [
        "VG522 +groupName has no effect on type definitions",
        "VG522 +versionName has no effect on struct fields",
        "VG522 +kubebuilder:skip belongs to no declaration, so it has no effect",
    ]


def test_a_marker_that_belongs_to_nothing_is_told() -> None:
    read = read_text(
        """
        // +kubebuilder:object:generate=true
        // +kubebuilder:storageversion

        var x = 1

        // +kubebuilder:storageversion

        // +kubebuilder:subresource:status

        type T struct{}
        """
    )
    assert read.found == ["VG522 +kubebuilder:storageversion belongs to no declaration, so it has no effect"] * 2
    assert read.resources["T"].status
