"""What the catalogue says of markers is so: examples are accepted, places are kept, names are recognized."""

from __future__ import annotations

import re

from tests.rules.markers.sources import Read, read_field, read_text, read_type
from tests.tables import each
from validation_gen.commands.explain.documents import explain
from validation_gen.commands.explain.markers import find_marker
from validation_gen.rules.markers import Marker, Target, catalogue
from validation_gen.rules.markers.catalogue import find_shared_tags
from validation_gen.rules.markers.openapi import is_openapi
from validation_gen.rules.releases import NEWEST

MARKERS = [marker for markers in catalogue().values() for marker in markers]
each_marker = each("marker", MARKERS, ids=lambda marker: f"{marker.name}-{len(marker.targets)}")

#: Of these types one fits each marker.
TYPES = ("string", "int", "[]string", "[]int", "map[string]string", "struct{}", "[]struct{}", "[][]string")
#: What a marker needs beside itself.
NEEDS = {"listMapKey": "+listType=map", "listType": "+listMapKey=name", "patchMergeKey": "+patchStrategy=merge"}


def read(line: str, target: Target, type: str) -> Read:
    if target is Target.PACKAGE:
        return read_text("type T struct{}\n", doc=f"// {line}\npackage v1\n")
    more = "\n" + NEEDS.get(line[1:].partition("=")[0], "")
    return read_type(line + more, type)[2] if target is Target.TYPE else read_field(line + more, type)[1]


@each_marker
def test_the_example_is_accepted(marker: Marker) -> None:
    for target in marker.targets:
        assert any(read(marker.example, target, type).found == [] for type in TYPES), target


@each_marker
def test_other_places_are_told(marker: Marker) -> None:
    allowed = {target for other in catalogue()[marker.name] for target in other.targets}
    for target in {Target.TYPE, Target.FIELD} - allowed:
        found = read(marker.example, target, "struct{}").found
        assert f"VG522 +{marker.name} has no effect on {target.value}" in found


@each_marker
def test_what_is_required_is_missed(marker: Marker) -> None:
    if is_openapi(marker.name) or not any(argument.required for argument in marker.arguments):
        return
    target = next(iter(marker.targets))
    found = read(f"+{marker.name}", target, "string").found
    if target is Target.PACKAGE:
        assert found == [f"VG523 +{marker.name}: a value is missing"]
    else:
        assert re.match(rf'VG523 \+{marker.name}: (the argument "\w+"|a value) is missing', found[0])


@each_marker
def test_a_misspelt_name_is_recognized(marker: Marker) -> None:
    if Target.PACKAGE in marker.targets:
        return
    target = sorted(marker.targets, key=lambda target: target.value)[0]
    head, _, last = marker.name.rpartition(":")
    for wrong in (f"{last[:-1]}{last[-1] * 2}", last.upper()):
        name = f"{head}:{wrong}" if head else wrong
        if name == marker.name:
            continue
        line = marker.example.replace(f"+{marker.name}", f"+{name}")
        found = read(line, target, "string").diagnostics
        codes = {d.code: d.help for d in found}
        if "VG521" in codes:
            assert codes["VG521"] == f"did you mean +{marker.name}?"
        else:
            assert not marker.name.startswith(("kubebuilder:", "k8s:", "validation-gen:")), found


@each_marker
def test_it_is_documented(marker: Marker) -> None:
    assert re.fullmatch(r"[A-Z].*\.", marker.doc)
    assert marker.example.startswith(f"+{marker.name}")
    assert find_marker(marker.example) == catalogue()[marker.name]
    for argument in marker.arguments:
        assert not argument.name or argument.doc


def test_markers_are_explained() -> None:
    article = explain("+kubebuilder:printcolumn:name=A", NEWEST)
    assert article is not None
    assert article.name == "+kubebuilder:printcolumn"
    assert {section.heading for section in article.sections} == {"Usage", "Applies to", "Arguments", "Example"}
    assert explain("kubebuilder:nothing", NEWEST) is None


def test_no_name_is_shared_by_accident() -> None:
    assert not catalogue().keys() & find_shared_tags().keys()
    for markers in catalogue().values():
        targets = [target for marker in markers for target in marker.targets]
        assert len(targets) == len(set(targets))
