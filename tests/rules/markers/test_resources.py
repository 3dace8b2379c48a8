"""What markers say of a kind as a resource, and what is refused."""

from __future__ import annotations

from tests.rules.markers.sources import read_text, read_type
from tests.tables import each
from validation_gen.ir import Conversion, PrinterColumn, ResourceNotes, Scale

R = "+kubebuilder:resource"


def resource(markers: str) -> ResourceNotes:
    _, notes, read = read_type(markers, "struct{}")
    assert read.found == []
    notes.span = None
    return notes


@each(
    ("markers", "wanted"),
    [
        ("", ResourceNotes()),
        ("+kubebuilder:object:root=true", ResourceNotes(told=True)),
        ("+kubebuilder:object:root=false", ResourceNotes()),
        (R, ResourceNotes(told=True)),
        (
            f"{R}:path=robots,singular=robot,shortName=rb;robo,categories={{all,fleet}},scope=Cluster",
            ResourceNotes(
                plural="robots",
                singular="robot",
                short_names=("rb", "robo"),
                categories=("all", "fleet"),
                scope="Cluster",
                told=True,
            ),
        ),
        ("+kubebuilder:subresource:status", ResourceNotes(status=True, told=True)),
        (
            "+kubebuilder:subresource:scale:specpath=.spec.n,statuspath=.status.n,selectorpath=.status.s",
            ResourceNotes(scale=Scale(".spec.n", ".status.n", ".status.s"), told=True),
        ),
        (
            "+kubebuilder:subresource:scale:specpath=.spec.n,statuspath=.status.n",
            ResourceNotes(scale=Scale(".spec.n", ".status.n"), told=True),
        ),
        (
            (
                '+kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`\n'
                '+kubebuilder:printcolumn:name=N,type=integer,format=int32,JSONPath=".n",description="a, b",priority=1'
            ),
            ResourceNotes(
                columns=[
                    PrinterColumn("Ready", "string", '.status.conditions[?(@.type=="Ready")].status'),
                    PrinterColumn("N", "integer", ".n", "a, b", "int32", 1),
                ],
                told=True,
            ),
        ),
        ("+kubebuilder:storageversion", ResourceNotes(storage=True, told=True)),
        ("+kubebuilder:unservedversion", ResourceNotes(served=False, told=True)),
        ("+kubebuilder:skipversion", ResourceNotes(skip=True, told=True)),
        ("+kubebuilder:deprecatedversion", ResourceNotes(deprecated=True, told=True)),
        (
            '+kubebuilder:deprecatedversion:warning="use v1"',
            ResourceNotes(deprecated=True, deprecation_warning="use v1", told=True),
        ),
        (
            '+kubebuilder:metadata:annotations="a.b/c=d=e";"f=",labels={"g=h"}\n+kubebuilder:metadata:labels="i=j"',
            ResourceNotes(annotations={"a.b/c": "d=e", "f": ""}, labels={"g": "h", "i": "j"}, told=True),
        ),
        (
            "+kubebuilder:selectablefield:JSONPath=.spec.a\n+kubebuilder:selectablefield:JSONPath=`.spec.b`",
            ResourceNotes(selectable=[".spec.a", ".spec.b"], told=True),
        ),
        ("+genclient\n+genclient:nonNamespaced", ResourceNotes(scope="Cluster")),
        (f"+genclient:nonNamespaced\n{R}:scope=Namespaced", ResourceNotes(scope="Namespaced", told=True)),
        ("+genclient:noStatus", ResourceNotes()),
        ("+resourceName=robots", ResourceNotes(plural="robots")),
        (f"+resourceName=bots\n{R}:path=robots", ResourceNotes(plural="robots", told=True)),
        ("+validation-gen:resource:listKind=Fleet", ResourceNotes(list_kind="Fleet", told=True)),
        (
            '+validation-gen:conversion:strategy=Webhook,service="ns/name",path="/convert",port=8443,reviewVersions=v1;v1beta1',
            ResourceNotes(
                conversion=Conversion(
                    ("v1", "v1beta1"), service_namespace="ns", service_name="name", path="/convert", port=8443
                ),
                told=True,
            ),
        ),
        (
            '+validation-gen:conversion:strategy=Webhook,url="https://example.com/convert"',
            ResourceNotes(conversion=Conversion(("v1",), url="https://example.com/convert"), told=True),
        ),
        ("+validation-gen:conversion:strategy=None", ResourceNotes(told=True)),
    ],
)
def test_a_resource(markers: str, wanted: ResourceNotes) -> None:
    assert resource(markers) == wanted


def test_markers_above_the_comment_count() -> None:
    read = read_text(
        """
        // +kubebuilder:subresource:status
        // +kubebuilder:validation:MinProperties=1


        // Robot is one.
        // +kubebuilder:storageversion
        type Robot struct{}
        """
    )
    assert read.resources["Robot"].status
    assert read.resources["Robot"].storage
    assert read.types["Robot"].keywords == {"minProperties": 1}
    assert read.types["Robot"].doc == "Robot is one."
    assert read.found == []


def test_a_list_is_no_resource() -> None:
    read = read_text(
        """
        import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

        // +kubebuilder:object:root=true
        type Robots struct {
            metav1.TypeMeta `json:",inline"`
            metav1.ListMeta `json:"metadata,omitempty"`
        }
        """
    )
    assert not read.resources["Robots"].told


@each(
    ("markers", "found", "help"),
    [
        (f"{R}:path=Robots", 'VG524 +kubebuilder:resource: "Robots" is no lower-case DNS label', "write robots"),
        (
            f"{R}:singular=my_robot",
            'VG524 +kubebuilder:resource: "my_robot" is no lower-case DNS label',
            "write a-z, 0-9 and '-', with a letter at the beginning",
        ),
        (f"{R}:shortName=rb;RB", 'VG524 +kubebuilder:resource: "RB" is no lower-case DNS label', "write rb"),
        (f"{R}:categories=All", 'VG524 +kubebuilder:resource: "All" is no lower-case DNS label', "write all"),
        (f"{R}:scope=cluster", 'VG524 +kubebuilder:resource: "cluster" is no value of it', "did you mean Cluster?"),
        (f"{R}:plural=robots", 'VG523 +kubebuilder:resource: there is no argument "plural"', ""),
        (
            f"{R}:path=a\n{R}:path=b",
            "VG526 +kubebuilder:resource says something else of the plural than line 3",
            "keep one of them; only the last one counts",
        ),
        (
            "+kubebuilder:subresource:scale:specpath=.status.n,statuspath=.status.n",
            'VG524 +kubebuilder:subresource:scale: the path ".status.n" is not below .spec.',
            "",
        ),
        (
            "+kubebuilder:subresource:scale:specpath=.spec.n",
            'VG523 +kubebuilder:subresource:scale: the argument "statuspath" is missing',
            None,
        ),
        ("+kubebuilder:subresource:statu", "VG521 unknown marker +kubebuilder:subresource:statu", None),
        (
            "+kubebuilder:printcolumn:name=A,type=string,JSONPath=status.a",
            'VG524 +kubebuilder:printcolumn: the path "status.a" does not begin with a dot',
            "write .status.a",
        ),
        (
            '+kubebuilder:printcolumn:name=A,type=string,JSONPath="{.status.a}"',
            'VG524 +kubebuilder:printcolumn: the path "{.status.a}" does not begin with a dot',
            "write .status.a",
        ),
        (
            "+kubebuilder:printcolumn:name=A,type=str,JSONPath=.a",
            'VG524 +kubebuilder:printcolumn: "str" is no value of it',
            "it is one of string, integer, number, boolean, date",
        ),
        (
            "+kubebuilder:printcolumn:name=A,type=string,format=int,JSONPath=.a",
            'VG524 +kubebuilder:printcolumn: "int" is no value of it',
            None,
        ),
        (
            "+kubebuilder:printcolumn:name=A,type=string,JSONPath=.a,priority=x",
            "VG520 +kubebuilder:printcolumn: 'x' is here where an integer is expected",
            None,
        ),
        (
            "+kubebuilder:printcolumn:name=A,type=string,JSONPath=.a,priority=4294967296",
            "VG524 +kubebuilder:printcolumn: 4294967296 does not fit into 32 bits",
            "",
        ),
        (
            (
                "+kubebuilder:printcolumn:name=A,type=string,JSONPath=.a\n"
                "+kubebuilder:printcolumn:name=A,type=string,JSONPath=.b"
            ),
            "VG526 there is a column A already",
            "give it another name",
        ),
        ("+kubebuilder:printcolum:name=A", "VG521 unknown marker +kubebuilder:printcolum:name", None),
        (
            '+kubebuilder:metadata:annotations="a:b"',
            'VG524 +kubebuilder:metadata: "a:b" is no key=value',
            'write annotations="a:b=value"',
        ),
        (
            "+kubebuilder:selectablefield:JSONPath=.a\n+kubebuilder:selectablefield:JSONPath=.a",
            "VG526 .a is selectable already",
            "keep one of them",
        ),
        ("+kubebuilder:storageversion=true", "VG523 +kubebuilder:storageversion: this marker takes no value", None),
        (
            "+validation-gen:resource:listKind=a b",
            'VG524 +validation-gen:resource: "a b" is not the name of a kind',
            "",
        ),
        (
            "+validation-gen:conversion:strategy=Webhook",
            "VG523 +validation-gen:conversion: a webhook is at a url or of a service, and neither is given",
            'write service="namespace/name" or url="https://…"',
        ),
        (
            "+validation-gen:conversion:strategy=Webhook,service=a,path=/b",
            'VG524 +validation-gen:conversion: "a" is not the name of a service',
            'write service="namespace/name"',
        ),
        (
            '+validation-gen:conversion:strategy=Webhook,service="a/b",path="b"',
            'VG524 +validation-gen:conversion: the path "b" does not begin with a slash',
            "write /b",
        ),
        (
            '+validation-gen:conversion:strategy=Webhook,service="a/b",port=70000',
            "VG524 +validation-gen:conversion: 70000 is no port",
            "it is one of 1 to 65535",
        ),
        (
            '+validation-gen:conversion:strategy=Webhook,url="http://a"',
            'VG524 +validation-gen:conversion: "http://a" is no https URL',
            "",
        ),
        (
            '+validation-gen:conversion:strategy=Webhook,url="https://a",port=1',
            "VG523 +validation-gen:conversion: the port is a part of the url",
            "",
        ),
        (
            '+validation-gen:conversion:strategy=None,url="https://a"',
            "VG524 +validation-gen:conversion: these settings require `strategy=Webhook`",
            "write strategy=Webhook, or leave it out",
        ),
        ("+validation-gen:converson:strategy=None", "VG521 unknown marker +validation-gen:converson:strategy", None),
    ],
)
def test_what_is_wrong_is_told(markers: str, found: str, help: str | None) -> None:
    _, _, read = read_type(markers, "struct{}")
    assert read.found == [found]
    assert help in (None, read.diagnostics[0].help) or help == ""


def test_a_misspelt_marker_with_arguments_is_recognized() -> None:
    _, _, read = read_type("+kubebuilder:printcolum:name=A\n+validation-gen:converson:strategy=None", "struct{}")
    assert [d.help for d in read.diagnostics] == [
        "did you mean +kubebuilder:printcolumn?",
        "did you mean +validation-gen:conversion?",
    ]
