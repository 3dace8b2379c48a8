package v1beta1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	robotsv1 "example.com/fleet/robots/v1"
)

// +genclient
// +genclient:nonNamespaced
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +k8s:supportsSubresource="/status"

// Robot is one machine of the fleet.
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

	// drive is how the machine moves.
	Drive Drive `json:"drive"`

	// batteryCapacity is the usable energy in watt hours.
	// +optional
	BatteryCapacity *resource.Quantity `json:"batteryCapacity,omitempty"`

	// capabilities say which jobs the machine may be given.
	// +optional
	// +listType=set
	// +k8s:optional
	// +k8s:listType=set
	// +k8s:maxItems=16
	Capabilities []robotsv1.Capability `json:"capabilities,omitempty"`

	// radioChannel was the channel of the analogue radio link. The licence for it has run out.
	// +optional
	// +k8s:forbidden
	RadioChannel *int32 `json:"radioChannel,omitempty"`
}

// Drive is how a robot moves. The type says which of the members must be set.
type Drive struct {
	// type selects the member that is set.
	// +unionDiscriminator
	// +required
	// +k8s:required
	// +k8s:unionDiscriminator
	Type DriveType `json:"type"`

	// wheeled describes a machine that rolls.
	// +optional
	// +k8s:optional
	// +k8s:unionMember
	Wheeled *robotsv1.WheeledDrive `json:"wheeled,omitempty"`

	// legged describes a machine that walks.
	// +optional
	// +k8s:optional
	// +k8s:unionMember
	Legged *robotsv1.LeggedDrive `json:"legged,omitempty"`

	// rotor describes a machine that flies.
	// +optional
	// +k8s:optional
	// +k8s:unionMember(memberName: "Flying")
	Rotor *robotsv1.RotorDrive `json:"rotor,omitempty"`
}

// DriveType is a way to move.
// +enum
// +k8s:enum
type DriveType string

const (
	// DriveWheeled machines roll.
	DriveWheeled DriveType = "Wheeled"
	// DriveLegged machines walk.
	DriveLegged DriveType = "Legged"
	// DriveFlying machines fly.
	DriveFlying DriveType = "Flying"
)

// RobotStatus is what a robot reports about itself.
type RobotStatus struct {
	// phase sums up what the machine is doing.
	// +optional
	// +k8s:optional
	Phase robotsv1.RobotPhase `json:"phase,omitempty"`

	// chargePercent is how full the battery is.
	// +optional
	// +k8s:optional
	// +k8s:minimum=0
	ChargePercent *int32 `json:"chargePercent,omitempty"`

	// lastSeen is when the machine last reported.
	// +optional
	LastSeen *metav1.Time `json:"lastSeen,omitempty"`
}
