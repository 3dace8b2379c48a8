"""Markers in comments of Python classes."""

from __future__ import annotations

from pathlib import Path

from tests.case_folders import inside
from tests.rules.markers.sources import read
from validation_gen.ir import PrinterColumn, Validation

ROBOTS = '''\
"""Robots.

+versionName=v1beta1
"""
# +groupName=robots.example.com

from __future__ import annotations

from dataclasses import dataclass, field


# +kubebuilder:resource:path=bots,scope=Cluster
# +kubebuilder:printcolumn:name=Name,type=string,JSONPath=.name

# A robot.
# +kubebuilder:subresource:status
@dataclass
class Robot:
    # Its name.
    # +kubebuilder:validation:MaxLength=63
    # +kubebuilder:validation:XValidation:rule="self != 'x'"
    name: str
    # +kubebuilder:validation:MaxLenght=63
    arms: list[str] = field(default_factory=list)  # +listType=set
    legs: int = 2
'''


def test_markers_in_python(tmp_path: Path) -> None:
    (tmp_path / "robots.py").write_text(ROBOTS, encoding="utf-8")
    with inside(tmp_path):
        found = read(["robots.py"])
    (package,) = found.packages.values()
    assert (package.group, package.version) == ("robots.example.com", "v1beta1")
    resource = found.resources["Robot"]
    assert (resource.plural, resource.scope, resource.status) == ("bots", "Cluster", True)
    assert resource.columns == [PrinterColumn("Name", "string", ".name")]
    assert found.types["Robot"].doc == "A robot."
    name = found.fields["Robot.name"]
    assert (name.doc, name.keywords) == ("Its name.", {"maxLength": 63})
    assert name.validations == [Validation("self != 'x'")]
    assert found.fields["Robot.arms"].keywords["x-kubernetes-list-type"] == "set"
    assert found.fields["Robot.legs"].keywords == {"default": 2}
    (wrong,) = found.diagnostics
    line = ROBOTS.splitlines()[wrong.span.line - 1]
    assert line[wrong.span.column - 1 : wrong.span.end_column - 1] == "+kubebuilder:validation:MaxLenght"


MISPLACED = '''\
"""Robots.

+groupName=robots.example.com
"""
from dataclasses import dataclass

# +versionName=v1


# +kubebuilder:validation:MinLength=1
Name = str


@dataclass
class Robot:
    """A robot.

    +kubebuilder:resource:path=bots
    """

    name: str
    """+kubebuilder:validation:MaxLength=3"""
    # +optional

    legs: int = 2


# +kubebuilder:validation:MinLength=2
def count() -> int:
    # +kubebuilder:validation:MinLength=3
    return 1
'''


def test_markers_that_belong_to_nothing(tmp_path: Path) -> None:
    (tmp_path / "robots.py").write_text(MISPLACED, encoding="utf-8")
    with inside(tmp_path):
        found = read(["robots.py"])
    nowhere = "belongs to no declaration, so it has no effect"
    v = "+kubebuilder:validation:"
    assert sorted((d.span.line, d.code, d.message.partition(": ")[2]) for d in found.diagnostics) == [
        (10, "VG522", f"{v}MinLength {nowhere}"),
        (18, "VG522", f"+kubebuilder:resource {nowhere}"),
        (22, "VG522", f"{v}MaxLength {nowhere}"),
        (23, "VG522", f"+optional {nowhere}"),
        (28, "VG522", f"{v}MinLength {nowhere}"),
        (30, "VG522", f"{v}MinLength {nowhere}"),
    ]
