package v1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"example.com/fleet/geo"
)

// +genclient
// +genclient:nonNamespaced
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +k8s:supportsSubresource="/status"

// Robot is one machine of the fleet. Operators create it when they take the machine into service; the machine itself
// reports through the status subresource.
type Robot struct {
	metav1.TypeMeta `json:",inline"`

	// metadata is the standard object's metadata. The name is painted on the machine.
	// +optional
	// +k8s:subfield(name)=+k8s:optional
	// +k8s:subfield(name)=+k8s:format=k8s-long-name
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec describes the machine and what it may do.
	Spec RobotSpec `json:"spec"`

	// status is what the machine last reported about itself.
	// +optional
	Status RobotStatus `json:"status,omitempty"`
}

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// RobotList is a list of robots.
type RobotList struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	// items is the list of robots.
	Items []Robot `json:"items"`
}

// RobotSpec describes a robot.
type RobotSpec struct {
	// model is the product name that the manufacturer gave the machine.
	// +required
	// +k8s:required
	// +k8s:maxLength=64
	Model string `json:"model"`

	// serialNumber identifies the frame of the machine.
	// +required
	// +k8s:required
	SerialNumber FrameSerialNumber `json:"serialNumber"`

	// assetID is the key of the machine in the books of the company.
	// +optional
	// +k8s:optional
	// +k8s:format=k8s-uuid
	AssetID *string `json:"assetID,omitempty"`

	// poolName is the RobotPool that the machine belongs to. Machines without a pool are not replaced when they fail.
	// +optional
	// +k8s:optional
	// +k8s:format=k8s-long-name
	PoolName string `json:"poolName,omitempty"`

	// homeDock is the dock to which the machine returns when it has nothing to do.
	// +optional
	// +k8s:optional
	// +k8s:format=k8s-short-name
	HomeDock *string `json:"homeDock,omitempty"`

	// controlHost is the host name under which the machine is reached, in upper or lower case.
	// +optional
	// +k8s:optional
	// +k8s:format=k8s-long-name-caseless
	ControlHost string `json:"controlHost,omitempty"`

	// drive is how the machine moves.
	Drive Drive `json:"drive"`

	// battery describes the energy store. There is no machine without one.
	// +required
	// +k8s:required
	Battery *Battery `json:"battery"`

	// compartments are the boxes that can be locked one by one. The main compartment takes standard parcels.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:maxItems=8
	// +k8s:item(name: "main")=+k8s:subfield(volumeLiters)=+k8s:minimum=10
	Compartments []Compartment `json:"compartments,omitempty"`

	// sensors are the eyes and ears of the machine. At the front there is room for a camera or a lidar, not for both.
	// +optional
	// +listType=map
	// +listMapKey=kind
	// +listMapKey=mount
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=kind
	// +k8s:listMapKey=mount
	// +k8s:item(kind: "Camera", mount: "front")=+k8s:zeroOrOneOfMember
	// +k8s:item(kind: "Lidar", mount: "front")=+k8s:zeroOrOneOfMember
	Sensors []Sensor `json:"sensors,omitempty"`

	// capabilities say which jobs the machine may be given. A mission asks for them by name.
	// +optional
	// +listType=set
	// +k8s:optional
	// +k8s:listType=set
	// +k8s:maxItems=32
	Capabilities []Capability `json:"capabilities,omitempty"`

	// speedLimits holds a speed in centimetres per second for each zone where the machine must go slower than it could.
	// +optional
	// +k8s:optional
	// +k8s:eachVal=+k8s:minimum=1
	SpeedLimits map[geo.ZoneName]int32 `json:"speedLimits,omitempty"`

	// consumables says how much of what the machine carries for its own use, for example cleaning fluid.
	// +optional
	// +k8s:optional
	// +k8s:eachKey=+k8s:format=k8s-extended-resource-name
	Consumables map[string]resource.Quantity `json:"consumables,omitempty"`

	// markings are shown on the display of the machine and can be selected by.
	// +optional
	// +k8s:optional
	// +k8s:eachKey=+k8s:format=k8s-label-key
	// +k8s:eachVal=+k8s:format=k8s-label-value
	Markings map[string]string `json:"markings,omitempty"`

	// surfaces lists what the machine can move on.
	// +optional
	// +listType=set
	// +k8s:optional
	// +k8s:listType=set
	Surfaces []geo.Surface `json:"surfaces,omitempty"`

	// autonomy says how far the machine decides for itself. Unset, a person steers it.
	// +optional
	// +k8s:optional
	Autonomy *Autonomy `json:"autonomy,omitempty"`

	// controlCertificate is the certificate of the control link in DER form.
	// +optional
	ControlCertificate []byte `json:"controlCertificate,omitempty"`
}

// SerialNumber is a number that a manufacturer engraves in a part.
// +k8s:maxLength=32
type SerialNumber string

// FrameSerialNumber is the serial number of a frame. Manufacturers of frames agree on shorter numbers than others do, and
// on the alphabet. A type that is made from another one takes over its shape but none of its rules.
// +k8s:maxLength=24
// +k8s:format=k8s-short-name
type FrameSerialNumber SerialNumber

// Capability names a job that a robot can do, for example "fleet.example.com/cold-chain".
// +k8s:format=k8s-label-key
type Capability string

// Drive is how a robot moves. Exactly one member is set.
type Drive struct {
	// wheeled describes a machine that rolls.
	// +optional
	// +k8s:optional
	// +k8s:unionMember
	Wheeled *WheeledDrive `json:"wheeled,omitempty"`

	// legged describes a machine that walks.
	// +optional
	// +k8s:optional
	// +k8s:unionMember
	Legged *LeggedDrive `json:"legged,omitempty"`

	// rotor describes a machine that flies.
	// +optional
	// +k8s:optional
	// +k8s:unionMember
	Rotor *RotorDrive `json:"rotor,omitempty"`
}

// WheeledDrive is a drive with wheels.
type WheeledDrive struct {
	// wheels is how many wheels touch the ground. One is enough, if the machine balances well.
	// +required
	// +k8s:required
	// +k8s:minimum=1
	Wheels int32 `json:"wheels"`

	// climbMillimeters is the height of the kerb that the machine can climb.
	// +optional
	// +k8s:optional
	// +k8s:minimum=0
	ClimbMillimeters *int32 `json:"climbMillimeters,omitempty"`
}

// LeggedDrive is a drive with legs.
type LeggedDrive struct {
	// legs is how many legs the machine has.
	// +required
	// +k8s:required
	// +k8s:minimum=2
	Legs int32 `json:"legs"`
}

// RotorDrive is a drive with rotors.
type RotorDrive struct {
	// rotors is how many rotors keep the machine in the air.
	// +required
	// +k8s:required
	// +k8s:minimum=3
	Rotors int32 `json:"rotors"`

	// ceilingMeters is the height above ground that the machine never exceeds.
	// +optional
	// +k8s:optional
	// +k8s:minimum=1
	CeilingMeters *int32 `json:"ceilingMeters,omitempty"`
}

// Battery is the energy store of a robot.
type Battery struct {
	// capacity is the usable energy in watt hours.
	Capacity resource.Quantity `json:"capacity"`

	// chemistry is what the cells are made of. It decides how they may be charged.
	// +required
	// +k8s:required
	Chemistry BatteryChemistry `json:"chemistry"`

	// serialNumber identifies the pack, which outlives many a frame.
	// +optional
	// +k8s:optional
	SerialNumber *SerialNumber `json:"serialNumber,omitempty"`

	// rechargeBelow is the charge at which the machine heads for a dock: watt hours, or a part of the capacity
	// such as "20%".
	// +optional
	RechargeBelow *intstr.IntOrString `json:"rechargeBelow,omitempty"`
}

// BatteryChemistry is what battery cells are made of.
// +enum
// +k8s:enum
type BatteryChemistry string

const (
	// BatteryLFP cells age slowly and may be charged to the full.
	BatteryLFP BatteryChemistry = "LFP"
	// BatteryNMC cells are light and are best kept between 20 and 80 per cent.
	BatteryNMC BatteryChemistry = "NMC"
	// BatterySolidState cells tolerate frost.
	BatterySolidState BatteryChemistry = "SolidState"
)

// Compartment is a box with a lid and a lock.
type Compartment struct {
	// name is unique on the machine. The compartment that takes standard parcels is called "main".
	// +required
	// +k8s:required
	// +k8s:format=k8s-short-name
	Name string `json:"name"`

	// volumeLiters is the space inside.
	// +required
	// +k8s:required
	// +k8s:minimum=1
	VolumeLiters int32 `json:"volumeLiters"`

	// maxLoad is the greatest weight in grams.
	// +optional
	MaxLoad resource.Quantity `json:"maxLoad,omitempty"`

	// climate says whether the box is cooled or heated.
	// +optional
	// +default="Ambient"
	// +k8s:optional
	Climate CompartmentClimate `json:"climate,omitempty"`

	// sealed says that the lid closes watertight.
	// +optional
	// +default=false
	// +k8s:optional
	Sealed bool `json:"sealed,omitempty"`
}

// CompartmentClimate is how the temperature in a compartment is kept.
// +enum
// +k8s:enum
type CompartmentClimate string

const (
	// ClimateAmbient means that the weather decides.
	ClimateAmbient CompartmentClimate = "Ambient"
	// ClimateCooled keeps food fresh.
	ClimateCooled CompartmentClimate = "Cooled"
	// ClimateHeated keeps pizza hot.
	ClimateHeated CompartmentClimate = "Heated"
)

// Sensor is a device that perceives the surroundings.
type Sensor struct {
	// kind is what the device measures with.
	// +required
	// +k8s:required
	Kind SensorKind `json:"kind"`

	// mount is the place on the machine: "front", "rear", "mast".
	// +required
	// +k8s:required
	// +k8s:format=k8s-short-name
	Mount string `json:"mount"`

	// driver is the program that reads the device.
	// +optional
	// +k8s:optional
	// +k8s:format=k8s-resource-fully-qualified-name
	Driver *string `json:"driver,omitempty"`

	// rangeMeters is how far the device sees in clear weather.
	// +optional
	// +k8s:optional
	// +k8s:minimum=1
	RangeMeters int32 `json:"rangeMeters,omitempty"`
}

// SensorKind is a kind of sensor.
// +enum
// +k8s:enum
type SensorKind string

const (
	// SensorCamera sees colours and needs light.
	SensorCamera SensorKind = "Camera"
	// SensorLidar measures distances with laser light.
	SensorLidar SensorKind = "Lidar"
	// SensorRadar sees through fog.
	SensorRadar SensorKind = "Radar"
	// SensorSonar is good at short distances only.
	SensorSonar SensorKind = "Sonar"
)

// Autonomy says how far a robot decides for itself.
type Autonomy struct {
	// level is how often a person must look.
	// +required
	// +k8s:required
	Level AutonomyLevel `json:"level"`

	// swarm lets the machine follow others of its kind. It may be set only while the RobotSwarming feature is on.
	// +optional
	// +k8s:ifEnabled(RobotSwarming)=+k8s:optional
	// +k8s:ifDisabled(RobotSwarming)=+k8s:forbidden
	Swarm *Swarm `json:"swarm,omitempty"`
}

// AutonomyLevel is how often a person must look after a robot.
// +enum
// +k8s:enum
type AutonomyLevel string

const (
	// AutonomySupervised robots are watched all the time.
	AutonomySupervised AutonomyLevel = "Supervised"
	// AutonomyOnCall robots ask for help when they are stuck.
	AutonomyOnCall AutonomyLevel = "OnCall"
	// AutonomyFull robots call nobody.
	AutonomyFull AutonomyLevel = "Full"
)

// Swarm is a group of robots that move together.
type Swarm struct {
	// leader is the name of the robot that the others follow.
	// +required
	// +k8s:required
	// +k8s:format=k8s-long-name
	Leader string `json:"leader"`

	// gapMillimeters is the distance that the machine keeps from the one in front.
	// +optional
	// +k8s:optional
	// +k8s:minimum=300
	GapMillimeters *int32 `json:"gapMillimeters,omitempty"`
}

// RobotStatus is what a robot reports about itself.
type RobotStatus struct {
	// phase sums up what the machine is doing.
	// +optional
	// +k8s:optional
	Phase RobotPhase `json:"phase,omitempty"`

	// position is where the machine was when it last reported.
	// +optional
	// +k8s:optional
	Position *geo.Position `json:"position,omitempty"`

	// chargePercent is how full the battery is. Zero is a value that operators want to see.
	// +optional
	// +k8s:optional
	// +k8s:minimum=0
	ChargePercent *int32 `json:"chargePercent,omitempty"`

	// lastSeen is when the machine last reported.
	// +optional
	LastSeen metav1.Time `json:"lastSeen,omitempty"`

	// conditions are the findings of the controllers. A machine is either in service or retired, never both.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=type
	// +k8s:item(type: "InService")=+k8s:zeroOrOneOfMember
	// +k8s:item(type: "Retired")=+k8s:zeroOrOneOfMember
	Conditions []RobotCondition `json:"conditions,omitempty"`

	// lastAppliedSpec is the spec that the machine runs with. It was checked when it was written; the rules of
	// today do not concern it.
	// +optional
	// +k8s:optional
	// +k8s:opaqueType
	LastAppliedSpec *RobotSpec `json:"lastAppliedSpec,omitempty"`
}

// RobotPhase sums up what a robot is doing.
// +enum
// +k8s:enum
type RobotPhase string

const (
	// RobotIdle robots wait for a mission.
	RobotIdle RobotPhase = "Idle"
	// RobotOnMission robots are under way.
	RobotOnMission RobotPhase = "OnMission"
	// RobotCharging robots stand at a dock.
	RobotCharging RobotPhase = "Charging"
	// RobotBroken robots wait for a person with a screwdriver.
	RobotBroken RobotPhase = "Broken"
)

// RobotCondition is one finding about a robot.
type RobotCondition struct {
	// type names the finding. Well-known types are "InService" and "Retired".
	// +required
	// +k8s:required
	// +k8s:maxLength=316
	Type string `json:"type"`

	// status is whether the finding holds.
	// +required
	// +k8s:required
	Status metav1.ConditionStatus `json:"status"`

	// lastTransitionTime is when the status last changed.
	// +optional
	LastTransitionTime metav1.Time `json:"lastTransitionTime,omitempty"`

	// reason is a word for programs.
	// +optional
	// +k8s:optional
	// +k8s:maxLength=1024
	Reason string `json:"reason,omitempty"`

	// message is a sentence for people.
	// +optional
	// +k8s:optional
	// +k8s:maxLength=32768
	Message string `json:"message,omitempty"`
}
