from tests.markers.sources import read_field, read_type
from validation_gen.ir import PrinterColumn, Validation


def test_a_keyword() -> None:
    notes, read = read_field("+kubebuilder:validation:MaxLength=5\n+optional")
    assert notes.keywords == {"maxLength": 5}
    assert notes.presence == "optional"
    assert notes.spans["maxLength"].column == 5
    assert read.found == []


def test_a_rule() -> None:
    notes, read = read_field('+kubebuilder:validation:XValidation:rule="self.size() > 1",message=`too, short`')
    assert notes.validations == [Validation("self.size() > 1", "too, short")]
    assert read.found == []


def test_a_resource() -> None:
    _, resource, read = read_type(
        """
        +kubebuilder:resource:path=robots,shortName=rb;robo,scope=Cluster
        +kubebuilder:subresource:status
        +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,priority=1
        """,
        "struct{}",
    )
    assert (resource.plural, resource.short_names, resource.scope) == ("robots", ("rb", "robo"), "Cluster")
    assert resource.status
    assert resource.told
    assert resource.columns == [PrinterColumn("Age", "date", ".metadata.creationTimestamp", priority=1)]
    assert read.found == []
