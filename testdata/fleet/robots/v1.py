"""Package v1 is the v1 version of the robots API: the machines of the fleet and the pools they are drawn from.

+k8s:deepcopy-gen=package
+k8s:openapi-gen=true
+k8s:validation-gen=TypesWithField=TypeMeta
+groupName=robots.example.com
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, TypeAlias

from validation_gen.types import Inline, Int32, Json
from validation_gen.types.meta import (
    ConditionStatus,
    IntOrString,
    ListMeta,
    ObjectMeta,
    Quantity,
    Time,
    TypeMeta,
)

from ..geo import Area, Position, Surface, ZoneName

__all__ = [
    "RobotPool",
    "RobotPoolList",
    "RobotPoolSpec",
    "RolloutPolicy",
    "RolloutStrategy",
    "RobotTemplate",
    "RobotPoolStatus",
    "Robot",
    "RobotList",
    "RobotSpec",
    "SerialNumber",
    "FrameSerialNumber",
    "Capability",
    "Drive",
    "WheeledDrive",
    "LeggedDrive",
    "RotorDrive",
    "Battery",
    "BatteryChemistry",
    "Compartment",
    "CompartmentClimate",
    "Sensor",
    "SensorKind",
    "Autonomy",
    "AutonomyLevel",
    "Swarm",
    "RobotStatus",
    "RobotPhase",
    "RobotCondition",
    "Scale",
    "ScaleSpec",
    "ScaleStatus",
]

# +genclient
# +genclient:method=UpdateScale,verb=update,subresource=scale,input=example.com/fleet/robots/v1.Scale,result=example.com/fleet/robots/v1.Scale
# +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object


# RobotPool keeps a number of interchangeable robots in service. When one fails, another one is fetched from the depot.
# The number can be changed through the scale subresource, whose body is a Scale.
# +k8s:supportsSubresource="/status"
@dataclass(kw_only=True)
class RobotPool(TypeMeta):
    # metadata is the standard object's metadata. The name becomes part of radio call signs, so it has no dots.
    # +optional
    # +k8s:subfield(name)=+k8s:optional
    # +k8s:subfield(name)=+k8s:format=k8s-short-name
    metadata: ObjectMeta = field(default_factory=ObjectMeta)

    # spec says how many robots of which kind the pool keeps.
    spec: RobotPoolSpec

    # status is what the pool controller last observed.
    # +optional
    status: RobotPoolStatus = field(default_factory=lambda: RobotPoolStatus())


# +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object


# RobotPoolList is a list of pools.
@dataclass(kw_only=True)
class RobotPoolList(TypeMeta):
    # +optional
    metadata: ListMeta = field(default_factory=ListMeta)

    # items is the list of pools.
    items: list[RobotPool]


# RobotPoolSpec says how many robots of which kind a pool keeps.
@dataclass(kw_only=True)
class RobotPoolSpec:
    # RolloutPolicy says how the pool passes from one template to the next.
    rollout_policy: Annotated[RolloutPolicy, Inline]

    # replicas is how many robots are wanted. Zero sends all of them to the depot.
    # +optional
    # +default=1
    # +k8s:optional
    # +k8s:minimum=0
    replicas: Annotated[int, Int32] | None = None

    # selector finds the robots of the pool by their labels.
    # +required
    # +k8s:required
    # +k8s:eachKey=+k8s:format=k8s-label-key
    # +k8s:eachVal=+k8s:format=k8s-label-value
    selector: dict[str, str]

    # areas are where the robots of the pool may go. No area means that they may go everywhere.
    # +optional
    # +listType=map
    # +listMapKey=name
    # +k8s:optional
    # +k8s:listType=map
    # +k8s:listMapKey=name
    # +k8s:maxItems=16
    areas: list[Area] = field(default_factory=list)

    # template describes the robots of the pool.
    template: RobotTemplate


# RolloutPolicy says how a pool passes from one template to the next.
@dataclass(kw_only=True)
class RolloutPolicy:
    # strategy is the order in which robots are exchanged.
    # +optional
    # +default="Rolling"
    # +k8s:optional
    strategy: Annotated[RolloutStrategy, Json(omit="omitempty")]

    # maxUnavailable is how many robots may be missing meanwhile: a number, or a part of the replicas such as "25%".
    # +optional
    max_unavailable: IntOrString | None = None

    # minReadySeconds is how long a robot must work before it counts as available.
    # +optional
    # +k8s:optional
    # +k8s:minimum=0
    min_ready_seconds: Annotated[int, Int32] = 0


# RolloutStrategy is the order in which the robots of a pool are exchanged.
# +enum
class RolloutStrategy(str, Enum):
    # RolloutRolling exchanges a few robots at a time.
    ROLLING = "Rolling"

    # RolloutAllAtOnce calls all robots in before the first new one leaves.
    ALL_AT_ONCE = "AllAtOnce"

    # RolloutOnFailure exchanges a robot when it fails, not earlier.
    ON_FAILURE = "OnFailure"


# RobotTemplate describes the robots that a pool fetches from the depot.
@dataclass(kw_only=True)
class RobotTemplate:
    # metadata is given to each robot. The name is made up by the controller.
    # +optional
    metadata: ObjectMeta = field(default_factory=ObjectMeta)

    # drive is how the robots move.
    drive: Drive

    # capabilities are what each robot must be able to do.
    # +optional
    # +listType=set
    # +k8s:optional
    # +k8s:listType=set
    # +k8s:maxItems=32
    capabilities: list[Capability] = field(default_factory=list)


# RobotPoolStatus is what the pool controller last observed.
@dataclass(kw_only=True)
class RobotPoolStatus:
    # replicas is how many robots were found.
    # +optional
    # +k8s:optional
    # +k8s:minimum=0
    replicas: Annotated[int, Int32] = 0

    # readyReplicas is how many of them can take a mission.
    # +optional
    # +k8s:optional
    # +k8s:minimum=0
    ready_replicas: Annotated[int, Int32] = 0

    # observedGeneration is the generation of the pool that the controller has acted on.
    # +optional
    # +k8s:optional
    # +k8s:minimum=0
    observed_generation: int = 0


# +genclient
# +genclient:nonNamespaced
# +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
# +k8s:supportsSubresource="/status"


# Robot is one machine of the fleet. Operators create it when they take the machine into service; the machine itself
# reports through the status subresource.
@dataclass(kw_only=True)
class Robot(TypeMeta):
    # metadata is the standard object's metadata. The name is painted on the machine.
    # +optional
    # +k8s:subfield(name)=+k8s:optional
    # +k8s:subfield(name)=+k8s:format=k8s-long-name
    metadata: ObjectMeta = field(default_factory=ObjectMeta)

    # spec describes the machine and what it may do.
    spec: RobotSpec

    # status is what the machine last reported about itself.
    # +optional
    status: Annotated[RobotStatus, Json(omit="omitempty")]


# +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object


# RobotList is a list of robots.
@dataclass(kw_only=True)
class RobotList(TypeMeta):
    # +optional
    metadata: ListMeta = field(default_factory=ListMeta)

    # items is the list of robots.
    items: list[Robot]


# RobotSpec describes a robot.
@dataclass(kw_only=True)
class RobotSpec:
    # model is the product name that the manufacturer gave the machine.
    # +required
    # +k8s:required
    # +k8s:maxLength=64
    model: str

    # serialNumber identifies the frame of the machine.
    # +required
    # +k8s:required
    serial_number: FrameSerialNumber

    # assetID is the key of the machine in the books of the company.
    # +optional
    # +k8s:optional
    # +k8s:format=k8s-uuid
    asset_id: str | None = None

    # poolName is the RobotPool that the machine belongs to. Machines without a pool are not replaced when they fail.
    # +optional
    # +k8s:optional
    # +k8s:format=k8s-long-name
    pool_name: str = ""

    # homeDock is the dock to which the machine returns when it has nothing to do.
    # +optional
    # +k8s:optional
    # +k8s:format=k8s-short-name
    home_dock: str | None = None

    # controlHost is the host name under which the machine is reached, in upper or lower case.
    # +optional
    # +k8s:optional
    # +k8s:format=k8s-long-name-caseless
    control_host: str = ""

    # drive is how the machine moves.
    drive: Drive

    # battery describes the energy store. There is no machine without one.
    # +required
    # +k8s:required
    battery: Battery | None

    # compartments are the boxes that can be locked one by one. The main compartment takes standard parcels.
    # +optional
    # +listType=map
    # +listMapKey=name
    # +k8s:optional
    # +k8s:listType=map
    # +k8s:listMapKey=name
    # +k8s:maxItems=8
    # +k8s:item(name: "main")=+k8s:subfield(volumeLiters)=+k8s:minimum=10
    compartments: list[Compartment] = field(default_factory=list)

    # sensors are the eyes and ears of the machine. At the front there is room for a camera or a lidar, not for both.
    # +optional
    # +listType=map
    # +listMapKey=kind
    # +listMapKey=mount
    # +k8s:optional
    # +k8s:listType=map
    # +k8s:listMapKey=kind
    # +k8s:listMapKey=mount
    # +k8s:item(kind: "Camera", mount: "front")=+k8s:zeroOrOneOfMember
    # +k8s:item(kind: "Lidar", mount: "front")=+k8s:zeroOrOneOfMember
    sensors: list[Sensor] = field(default_factory=list)

    # capabilities say which jobs the machine may be given. A mission asks for them by name.
    # +optional
    # +listType=set
    # +k8s:optional
    # +k8s:listType=set
    # +k8s:maxItems=32
    capabilities: list[Capability] = field(default_factory=list)

    # speedLimits holds a speed in centimetres per second for each zone where the machine must go slower than it could.
    # +optional
    # +k8s:optional
    # +k8s:eachVal=+k8s:minimum=1
    speed_limits: dict[ZoneName, Annotated[int, Int32]] = field(default_factory=dict)

    # consumables says how much of what the machine carries for its own use, for example cleaning fluid.
    # +optional
    # +k8s:optional
    # +k8s:eachKey=+k8s:format=k8s-extended-resource-name
    consumables: dict[str, Quantity] = field(default_factory=dict)

    # markings are shown on the display of the machine and can be selected by.
    # +optional
    # +k8s:optional
    # +k8s:eachKey=+k8s:format=k8s-label-key
    # +k8s:eachVal=+k8s:format=k8s-label-value
    markings: dict[str, str] = field(default_factory=dict)

    # surfaces lists what the machine can move on.
    # +optional
    # +listType=set
    # +k8s:optional
    # +k8s:listType=set
    surfaces: list[Surface] = field(default_factory=list)

    # autonomy says how far the machine decides for itself. Unset, a person steers it.
    # +optional
    # +k8s:optional
    autonomy: Autonomy | None = None

    # controlCertificate is the certificate of the control link in DER form.
    # +optional
    control_certificate: bytes = b""


# SerialNumber is a number that a manufacturer engraves in a part.
# +k8s:maxLength=32
SerialNumber: TypeAlias = str


# FrameSerialNumber is the serial number of a frame. Manufacturers of frames agree on shorter numbers than others do, and
# on the alphabet. A type that is made from another one takes over its shape but none of its rules.
# +k8s:maxLength=24
# +k8s:format=k8s-short-name
FrameSerialNumber: TypeAlias = SerialNumber


# Capability names a job that a robot can do, for example "fleet.example.com/cold-chain".
# +k8s:format=k8s-label-key
Capability: TypeAlias = str


# Drive is how a robot moves. Exactly one member is set.
@dataclass(kw_only=True)
class Drive:
    # wheeled describes a machine that rolls.
    # +optional
    # +k8s:optional
    # +k8s:unionMember
    wheeled: WheeledDrive | None = None

    # legged describes a machine that walks.
    # +optional
    # +k8s:optional
    # +k8s:unionMember
    legged: LeggedDrive | None = None

    # rotor describes a machine that flies.
    # +optional
    # +k8s:optional
    # +k8s:unionMember
    rotor: RotorDrive | None = None


# WheeledDrive is a drive with wheels.
@dataclass(kw_only=True)
class WheeledDrive:
    # wheels is how many wheels touch the ground. One is enough, if the machine balances well.
    # +required
    # +k8s:required
    # +k8s:minimum=1
    wheels: Annotated[int, Int32]

    # climbMillimeters is the height of the kerb that the machine can climb.
    # +optional
    # +k8s:optional
    # +k8s:minimum=0
    climb_millimeters: Annotated[int, Int32] | None = None


# LeggedDrive is a drive with legs.
@dataclass(kw_only=True)
class LeggedDrive:
    # legs is how many legs the machine has.
    # +required
    # +k8s:required
    # +k8s:minimum=2
    legs: Annotated[int, Int32]


# RotorDrive is a drive with rotors.
@dataclass(kw_only=True)
class RotorDrive:
    # rotors is how many rotors keep the machine in the air.
    # +required
    # +k8s:required
    # +k8s:minimum=3
    rotors: Annotated[int, Int32]

    # ceilingMeters is the height above ground that the machine never exceeds.
    # +optional
    # +k8s:optional
    # +k8s:minimum=1
    ceiling_meters: Annotated[int, Int32] | None = None


# Battery is the energy store of a robot.
@dataclass(kw_only=True)
class Battery:
    # capacity is the usable energy in watt hours.
    capacity: Quantity

    # chemistry is what the cells are made of. It decides how they may be charged.
    # +required
    # +k8s:required
    chemistry: BatteryChemistry

    # serialNumber identifies the pack, which outlives many a frame.
    # +optional
    # +k8s:optional
    serial_number: SerialNumber | None = None

    # rechargeBelow is the charge at which the machine heads for a dock: watt hours, or a part of the capacity
    # such as "20%".
    # +optional
    recharge_below: IntOrString | None = None


# BatteryChemistry is what battery cells are made of.
# +enum
class BatteryChemistry(str, Enum):
    # BatteryLFP cells age slowly and may be charged to the full.
    LFP = "LFP"

    # BatteryNMC cells are light and are best kept between 20 and 80 per cent.
    NMC = "NMC"

    # BatterySolidState cells tolerate frost.
    SOLID_STATE = "SolidState"


# Compartment is a box with a lid and a lock.
@dataclass(kw_only=True)
class Compartment:
    # name is unique on the machine. The compartment that takes standard parcels is called "main".
    # +required
    # +k8s:required
    # +k8s:format=k8s-short-name
    name: str

    # volumeLiters is the space inside.
    # +required
    # +k8s:required
    # +k8s:minimum=1
    volume_liters: Annotated[int, Int32]

    # maxLoad is the greatest weight in grams.
    # +optional
    max_load: Annotated[Quantity, Json(omit="omitempty")]

    # climate says whether the box is cooled or heated.
    # +optional
    # +default="Ambient"
    # +k8s:optional
    climate: Annotated[CompartmentClimate, Json(omit="omitempty")]

    # sealed says that the lid closes watertight.
    # +optional
    # +default=false
    # +k8s:optional
    sealed: bool = False


# CompartmentClimate is how the temperature in a compartment is kept.
# +enum
class CompartmentClimate(str, Enum):
    # ClimateAmbient means that the weather decides.
    AMBIENT = "Ambient"

    # ClimateCooled keeps food fresh.
    COOLED = "Cooled"

    # ClimateHeated keeps pizza hot.
    HEATED = "Heated"


# Sensor is a device that perceives the surroundings.
@dataclass(kw_only=True)
class Sensor:
    # kind is what the device measures with.
    # +required
    # +k8s:required
    kind: SensorKind

    # mount is the place on the machine: "front", "rear", "mast".
    # +required
    # +k8s:required
    # +k8s:format=k8s-short-name
    mount: str

    # driver is the program that reads the device.
    # +optional
    # +k8s:optional
    # +k8s:format=k8s-resource-fully-qualified-name
    driver: str | None = None

    # rangeMeters is how far the device sees in clear weather.
    # +optional
    # +k8s:optional
    # +k8s:minimum=1
    range_meters: Annotated[int, Int32] = 0


# SensorKind is a kind of sensor.
# +enum
class SensorKind(str, Enum):
    # SensorCamera sees colours and needs light.
    CAMERA = "Camera"

    # SensorLidar measures distances with laser light.
    LIDAR = "Lidar"

    # SensorRadar sees through fog.
    RADAR = "Radar"

    # SensorSonar is good at short distances only.
    SONAR = "Sonar"


# Autonomy says how far a robot decides for itself.
@dataclass(kw_only=True)
class Autonomy:
    # level is how often a person must look.
    # +required
    # +k8s:required
    level: AutonomyLevel

    # swarm lets the machine follow others of its kind. It may be set only while the RobotSwarming feature is on.
    # +optional
    # +k8s:ifEnabled(RobotSwarming)=+k8s:optional
    # +k8s:ifDisabled(RobotSwarming)=+k8s:forbidden
    swarm: Swarm | None = None


# AutonomyLevel is how often a person must look after a robot.
# +enum
class AutonomyLevel(str, Enum):
    # AutonomySupervised robots are watched all the time.
    SUPERVISED = "Supervised"

    # AutonomyOnCall robots ask for help when they are stuck.
    ON_CALL = "OnCall"

    # AutonomyFull robots call nobody.
    FULL = "Full"


# Swarm is a group of robots that move together.
@dataclass(kw_only=True)
class Swarm:
    # leader is the name of the robot that the others follow.
    # +required
    # +k8s:required
    # +k8s:format=k8s-long-name
    leader: str

    # gapMillimeters is the distance that the machine keeps from the one in front.
    # +optional
    # +k8s:optional
    # +k8s:minimum=300
    gap_millimeters: Annotated[int, Int32] | None = None


# RobotStatus is what a robot reports about itself.
@dataclass(kw_only=True)
class RobotStatus:
    # phase sums up what the machine is doing.
    # +optional
    # +k8s:optional
    phase: Annotated[RobotPhase, Json(omit="omitempty")]

    # position is where the machine was when it last reported.
    # +optional
    # +k8s:optional
    position: Position | None = None

    # chargePercent is how full the battery is. Zero is a value that operators want to see.
    # +optional
    # +k8s:optional
    # +k8s:minimum=0
    charge_percent: Annotated[int, Int32] | None = None

    # lastSeen is when the machine last reported.
    # +optional
    last_seen: Annotated[Time, Json(omit="omitempty")]

    # conditions are the findings of the controllers. A machine is either in service or retired, never both.
    # +optional
    # +listType=map
    # +listMapKey=type
    # +k8s:optional
    # +k8s:listType=map
    # +k8s:listMapKey=type
    # +k8s:item(type: "InService")=+k8s:zeroOrOneOfMember
    # +k8s:item(type: "Retired")=+k8s:zeroOrOneOfMember
    conditions: list[RobotCondition] = field(default_factory=list)

    # lastAppliedSpec is the spec that the machine runs with. It was checked when it was written; the rules of
    # today do not concern it.
    # +optional
    # +k8s:optional
    # +k8s:opaqueType
    last_applied_spec: RobotSpec | None = None


# RobotPhase sums up what a robot is doing.
# +enum
class RobotPhase(str, Enum):
    # RobotIdle robots wait for a mission.
    IDLE = "Idle"

    # RobotOnMission robots are under way.
    ON_MISSION = "OnMission"

    # RobotCharging robots stand at a dock.
    CHARGING = "Charging"

    # RobotBroken robots wait for a person with a screwdriver.
    BROKEN = "Broken"


# RobotCondition is one finding about a robot.
@dataclass(kw_only=True)
class RobotCondition:
    # type names the finding. Well-known types are "InService" and "Retired".
    # +required
    # +k8s:required
    # +k8s:maxLength=316
    type: str

    # status is whether the finding holds.
    # +required
    # +k8s:required
    status: ConditionStatus

    # lastTransitionTime is when the status last changed.
    # +optional
    last_transition_time: Annotated[Time, Json(omit="omitempty")]

    # reason is a word for programs.
    # +optional
    # +k8s:optional
    # +k8s:maxLength=1024
    reason: str = ""

    # message is a sentence for people.
    # +optional
    # +k8s:optional
    # +k8s:maxLength=32768
    message: str = ""


# +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
# +k8s:isSubresource="/scale"


# Scale is the body of the scale subresource of a RobotPool.
@dataclass(kw_only=True)
class Scale(TypeMeta):
    # metadata is the standard object's metadata.
    # +optional
    metadata: ObjectMeta = field(default_factory=ObjectMeta)

    # spec says how many robots are wanted.
    # +optional
    spec: ScaleSpec = field(default_factory=lambda: ScaleSpec())

    # status says how many robots there are.
    # +optional
    status: Annotated[ScaleStatus, Json(omit="omitempty")]


# ScaleSpec says how many robots are wanted.
@dataclass(kw_only=True)
class ScaleSpec:
    # replicas is how many robots are wanted.
    # +optional
    # +default=0
    # +k8s:optional
    # +k8s:minimum=0
    replicas: Annotated[int, Int32] = 0


# ScaleStatus says how many robots there are.
@dataclass(kw_only=True)
class ScaleStatus:
    # replicas is how many robots there are.
    replicas: Annotated[int, Int32]

    # selector finds the robots of the pool, in the notation of query parameters.
    # +optional
    selector: str = ""


# GroupName is the name of the API group.
GROUP_NAME = "robots.example.com"
