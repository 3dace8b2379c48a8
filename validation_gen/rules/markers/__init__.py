"""Markers for CustomResourceDefinitions, as the data of `validation_gen.ir`.

They are those of controller-gen (`+kubebuilder:validation:MaxLength=63`, `+optional`, `+listType=map` …), those of
openapi-gen (`+k8s:validation:maxLength=63`, `+default=…`), and two of our own where those have none. `MarkerReader`
reads them, `catalogue` has them all with their documentation. Nothing here knows a rule or an emitter.
"""

from validation_gen.rules.markers.base import Argument, Marker, Target
from validation_gen.rules.markers.catalogue import catalogue
from validation_gen.rules.markers.packages import PackageNotes
from validation_gen.rules.markers.reader import MarkerReader

__all__ = ["Argument", "Marker", "MarkerReader", "PackageNotes", "Target", "catalogue"]
