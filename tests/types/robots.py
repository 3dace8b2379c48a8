"""The robots of the fleet.

+groupName=robots.example.com
+k8s:validation-gen=TypesWithField=TypeMeta
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, TypeAlias

from validation_gen.tags import ListType, MaxItems
from validation_gen.types import Int32
from validation_gen.types.meta import ObjectMeta, TypeMeta

# +k8s:format=k8s-short-name
Callsign: TypeAlias = str


class Phase(str, Enum):
    IDLE = "Idle"
    BUSY = "Busy"


@dataclass(kw_only=True)
class RobotSpec:
    # +k8s:required
    # +k8s:maxLength=64
    model: str
    callsign: Callsign  # +k8s:required
    # +k8s:optional
    # +k8s:minimum=0
    spare_parts: Annotated[int, Int32] | None = None
    # +k8s:optional
    pod_ips: Annotated[list[str], ListType("set"), MaxItems(2)] = field(default_factory=list)
    phase: Phase = Phase.IDLE  # +k8s:optional


@dataclass(kw_only=True)
class Robot(TypeMeta):
    metadata: ObjectMeta
    spec: RobotSpec
