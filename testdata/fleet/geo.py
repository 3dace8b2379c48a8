"""Package geo describes places on the map: positions, areas and the surfaces a robot may move on.
It belongs to no API group; the groups of the fleet share its types.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, TypeAlias

from validation_gen.tags import Format, ListType, MaxItems, MaxLength, Minimum, Optional, Required
from validation_gen.types import Int32


class Surface(str, Enum):
    """A kind of ground that a robot may move on."""

    PAVEMENT = "Pavement"  # a footway; robots go at walking speed here
    BIKE_LANE = "BikeLane"
    INDOOR = "Indoor"


#: Names a zone of a city, for example "old-town".
ZoneName: TypeAlias = Annotated[str, Format("k8s-short-name"), MaxLength(40)]


@dataclass(kw_only=True)
class Position:
    """A point on the surface of the earth in the WGS 84 reference system.

    Coordinates are integers because floating point numbers do not survive every JSON implementation unchanged. They can
    be None because zero is a good latitude: the equator is not a missing value.
    """

    #: Millionths of a degree northwards from the equator.
    latitude: Annotated[int, Int32, Required(), Minimum(-90000000)] | None
    #: Millionths of a degree eastwards from the prime meridian.
    longitude: Annotated[int, Int32, Required(), Minimum(-180000000)] | None
    #: The storey of the building, counted from the ground floor, which is 0.
    floor: Annotated[int, Int32, Optional(), Minimum(0)] | None = None


#: The corner points of an area in the order in which one walks around it. The same corner may be passed twice.
Corners: TypeAlias = Annotated[list[Position], ListType("atomic"), MaxItems(64)]


@dataclass(kw_only=True)
class Area:
    """A polygon with a name."""

    name: Annotated[ZoneName, Required]
    #: The last corner is connected to the first one.
    corners: Corners  # +k8s:required
    #: What the ground is made of within the area.
    surfaces: Annotated[list[Surface], Optional, ListType("set")] = field(default_factory=list)
