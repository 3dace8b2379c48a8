// +k8s:validation-gen=TypesWithField=TypeMeta
// +groupName=plants.example.com

// Package v1 has a kind in which nearly each field has rules of its own.
package v1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Plant is a factory.
type Plant struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   PlantSpec   `json:"spec"`
	Status PlantStatus `json:"status,omitempty"`
}

// PlantSpec says how a factory should be.
type PlantSpec struct {
	// +k8s:required
	// +k8s:format=k8s-short-name
	// +k8s:immutable
	Site string `json:"site"`
	// +k8s:required
	// +k8s:maxLength=80
	Owner Owner `json:"owner"`
	// +k8s:optional
	// +k8s:minimum=1
	// +k8s:maximum=64
	Floors int32 `json:"floors,omitempty"`
	// +k8s:required
	// +k8s:maxItems=32
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:item(name: "main")=+k8s:subfield(speed)=+k8s:minimum=2
	Lines []Line `json:"lines"`
	// +k8s:optional
	// +k8s:maxItems=16
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:eachVal=+k8s:subfield(gate)=+k8s:minimum=1
	Docks []Dock `json:"docks,omitempty"`
	// +k8s:optional
	// +k8s:maxProperties=16
	// +k8s:eachKey=+k8s:format=k8s-label-key
	// +k8s:eachVal=+k8s:maxLength=63
	Labels map[string]string `json:"labels,omitempty"`
	// +k8s:optional
	// +k8s:maxProperties=8
	// +k8s:eachKey=+k8s:format=k8s-short-name
	Stores map[string]Store `json:"stores,omitempty"`
	// +k8s:optional
	Power *Power `json:"power,omitempty"`
	// +k8s:optional
	// +k8s:subfield(retries)=+k8s:maximum=10
	Safety *Safety `json:"safety,omitempty"`
	// +k8s:optional
	// +k8s:ifEnabled(Drones)=+k8s:maxItems=4
	// +k8s:listType=set
	// +k8s:eachVal=+k8s:format=k8s-short-name
	Drones []string `json:"drones,omitempty"`
	// +k8s:optional
	Shifts *ShiftPlan `json:"shifts,omitempty"`
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:maxItems=20
	Contacts []Contact `json:"contacts,omitempty"`
	// +k8s:optional
	// +k8s:beta=+k8s:maxLength=120
	Remark *string `json:"remark,omitempty"`
	// +k8s:required
	Budget *Budget `json:"budget"`
}

// Owner is a person or a team.
// +k8s:minLength=2
type Owner string

// LineKind says what a line does.
// +k8s:enum
type LineKind string

const (
	LineAssembly LineKind = "Assembly"
	LinePaint    LineKind = "Paint"
	LinePacking  LineKind = "Packing"
	// +k8s:ifDisabled(Lasers)=+k8s:enumExclude
	LineLaser LineKind = "Laser"
)

// Line is a row of stations.
type Line struct {
	// +k8s:required
	// +k8s:format=k8s-short-name
	Name string `json:"name"`
	// +k8s:required
	Kind LineKind `json:"kind"`
	// +k8s:optional
	// +k8s:minimum=0
	// +k8s:maximum=1000
	Speed int32 `json:"speed,omitempty"`
	// +k8s:optional
	// +k8s:maxItems=24
	// +k8s:listType=map
	// +k8s:listMapKey=id
	Stations []Station `json:"stations,omitempty"`
	// +k8s:optional
	// +k8s:minLength=1
	// +k8s:maxLength=63
	Supervisor *string `json:"supervisor,omitempty"`
	// +k8s:optional
	Belt *Belt `json:"belt,omitempty"`
	// +k8s:optional
	// +k8s:update=NoUnset
	Since *metav1.Time `json:"since,omitempty"`
}

// Station is a place of work.
type Station struct {
	// +k8s:required
	// +k8s:minimum=1
	// +k8s:maximum=999
	ID int32 `json:"id"`
	// +k8s:required
	// +k8s:minLength=1
	// +k8s:maxLength=40
	Title string `json:"title"`
	// +k8s:optional
	// +k8s:maxItems=12
	// +k8s:listType=map
	// +k8s:listMapKey=name
	Tools []Tool `json:"tools,omitempty"`
	// +k8s:optional
	// +k8s:maxProperties=6
	// +k8s:eachKey=+k8s:maxLength=20
	// +k8s:eachVal=+k8s:minimum=0
	Limits map[string]int64 `json:"limits,omitempty"`
	// +k8s:required
	Task *Task `json:"task"`
	// +k8s:optional
	// +k8s:listType=set
	// +k8s:maxItems=8
	// +k8s:eachVal=+k8s:minLength=1
	Skills []Skill `json:"skills,omitempty"`
}

// Skill names what a worker can do.
// +k8s:maxLength=30
// +k8s:neq="none"
type Skill string

// Tool is used at a station.
type Tool struct {
	// +k8s:required
	// +k8s:format=k8s-short-name
	Name string `json:"name"`
	// +k8s:optional
	// +k8s:minimum=1
	// +k8s:maximum=500
	Weight int32 `json:"weight,omitempty"`
	// +k8s:optional
	// +k8s:maxLength=20
	Maker string `json:"maker,omitempty"`
	// +k8s:optional
	// +k8s:format=k8s-uuid
	Serial *string `json:"serial,omitempty"`
	// +k8s:optional
	Range *Range `json:"range,omitempty"`
}

// Range has two ends.
type Range struct {
	// +k8s:minimum=0
	Low int32 `json:"low"`
	// +k8s:maximum=10000
	High int32 `json:"high"`
}

// Task is one of several.
type Task struct {
	// +k8s:required
	// +k8s:unionDiscriminator
	Type TaskType `json:"type"`
	// +k8s:optional
	// +k8s:unionMember(memberName: "Weld")
	Weld *Weld `json:"weld,omitempty"`
	// +k8s:optional
	// +k8s:unionMember(memberName: "Cut")
	Cut *Cut `json:"cut,omitempty"`
	// +k8s:optional
	// +k8s:unionMember(memberName: "Check")
	Check *CheckTask `json:"check,omitempty"`
}

// TaskType selects a task.
// +k8s:enum
type TaskType string

const (
	TaskWeld  TaskType = "Weld"
	TaskCut   TaskType = "Cut"
	TaskCheck TaskType = "Check"
)

// Weld joins.
type Weld struct {
	// +k8s:required
	// +k8s:minimum=100
	// +k8s:maximum=4000
	Degrees int32 `json:"degrees"`
	// +k8s:optional
	// +k8s:maxLength=20
	Gas string `json:"gas,omitempty"`
}

// Cut divides.
type Cut struct {
	// +k8s:required
	// +k8s:minimum=1
	Depth int32 `json:"depth"`
	// +k8s:optional
	// +k8s:neq="rust"
	// +k8s:maxLength=16
	Blade string `json:"blade,omitempty"`
}

// CheckTask looks.
type CheckTask struct {
	// +k8s:required
	// +k8s:maxItems=10
	// +k8s:eachVal=+k8s:maxLength=50
	Questions []string `json:"questions"`
	// +k8s:optional
	// +k8s:minimum=0
	// +k8s:maximum=100
	Share *int32 `json:"share,omitempty"`
}

// Belt moves parts.
type Belt struct {
	// +k8s:required
	// +k8s:minimum=1
	Meters int32 `json:"meters"`
	// +k8s:required
	// +k8s:modeDiscriminator
	Drive BeltDrive `json:"drive"`
	// +k8s:ifMode("Chain")=+k8s:required
	// +k8s:ifMode("Chain")=+k8s:minimum=4
	Links *int32 `json:"links,omitempty"`
	// +k8s:ifMode("Air")=+k8s:optional
	// +k8s:ifMode("Air")=+k8s:maximum=16
	Bar *int32 `json:"bar,omitempty"`
}

// BeltDrive says how a belt is driven.
// +k8s:enum
type BeltDrive string

const (
	DriveChain BeltDrive = "Chain"
	DriveAir   BeltDrive = "Air"
)

// Dock is where trucks stop.
type Dock struct {
	// +k8s:required
	// +k8s:format=k8s-short-name
	Name string `json:"name"`
	// +k8s:required
	// +k8s:maximum=99
	Gate int32 `json:"gate"`
	// +k8s:optional
	// +k8s:maxItems=7
	// +k8s:eachVal=+k8s:subfield(open)=+k8s:minimum=0
	Hours []Hours `json:"hours,omitempty"`
	// +k8s:optional
	Port *intstr.IntOrString `json:"port,omitempty"`
	// +k8s:optional
	// +k8s:zeroOrOneOfMember
	Ramp *Ramp `json:"ramp,omitempty"`
	// +k8s:optional
	// +k8s:zeroOrOneOfMember
	Lift *Lift `json:"lift,omitempty"`
}

// Hours of a day.
type Hours struct {
	// +k8s:maximum=23
	Open int32 `json:"open"`
	// +k8s:minimum=1
	// +k8s:maximum=24
	Close int32 `json:"close"`
}

// Ramp is inclined.
type Ramp struct {
	// +k8s:required
	// +k8s:minimum=1
	// +k8s:maximum=30
	Degrees int32 `json:"degrees"`
}

// Lift goes up.
type Lift struct {
	// +k8s:required
	// +k8s:minimum=1
	Kilograms int64 `json:"kilograms"`
	// +k8s:optional
	// +k8s:monotonic
	Runs int64 `json:"runs,omitempty"`
}

// Store holds goods.
type Store struct {
	// +k8s:required
	// +k8s:maxLength=40
	Aisle string `json:"aisle"`
	Capacity resource.Quantity `json:"capacity,omitempty"`
	// +k8s:optional
	// +k8s:maxItems=50
	// +k8s:listType=map
	// +k8s:listMapKey=kind
	// +k8s:listMapKey=grade
	Goods []Goods `json:"goods,omitempty"`
	// +k8s:optional
	Climate *Climate `json:"climate,omitempty"`
}

// Goods of one kind and grade.
type Goods struct {
	// +k8s:required
	// +k8s:maxLength=30
	Kind string `json:"kind"`
	// +k8s:required
	// +k8s:minimum=1
	// +k8s:maximum=5
	Grade int32 `json:"grade"`
	// +k8s:minimum=0
	Count int64 `json:"count"`
	// +k8s:optional
	// +k8s:eachKey=+k8s:maxLength=30
	// +k8s:eachVal=+k8s:maxLength=60
	Notes map[string]string `json:"notes,omitempty"`
}

// Climate of a room.
type Climate struct {
	// +k8s:minimum=-40
	// +k8s:maximum=60
	Celsius int32 `json:"celsius"`
	// +k8s:optional
	// +k8s:minimum=0
	// +k8s:maximum=100
	Humidity *int32 `json:"humidity,omitempty"`
}

// Power has one source.
type Power struct {
	// +k8s:optional
	// +k8s:unionMember
	Grid *Grid `json:"grid,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	Solar *Solar `json:"solar,omitempty"`
	// +k8s:required
	// +k8s:minimum=1
	Kilowatts int32 `json:"kilowatts"`
}

// Grid is everybody's.
type Grid struct {
	// +k8s:required
	// +k8s:maxLength=40
	// +k8s:update=NoModify
	Meter string `json:"meter"`
	// +k8s:optional
	// +k8s:minimum=1
	// +k8s:maximum=3
	Phases int32 `json:"phases,omitempty"`
}

// Solar is one's own.
type Solar struct {
	// +k8s:required
	// +k8s:minimum=1
	Panels int32 `json:"panels"`
	// +k8s:optional
	// +k8s:dependentRequired("maker")
	Model *string `json:"model,omitempty"`
	// +k8s:optional
	Maker *string `json:"maker,omitempty"`
}

// Safety says how careful to be.
type Safety struct {
	// +k8s:optional
	// +k8s:minimum=0
	Retries int32 `json:"retries,omitempty"`
	// +k8s:required
	// +k8s:maxItems=10
	// +k8s:listType=set
	Zones []string `json:"zones"`
	// +k8s:optional
	Delay *metav1.Duration `json:"delay,omitempty"`
	// +k8s:alpha=+k8s:neq=true
	Off bool `json:"off,omitempty"`
	// +k8s:optional
	// +k8s:maxItems=5
	// +k8s:eachVal=+k8s:format=k8s-long-name
	Hosts []string `json:"hosts,omitempty"`
}

// ShiftPlan names who works when.
type ShiftPlan struct {
	// +k8s:required
	// +k8s:minItems=1
	// +k8s:maxItems=6
	// +k8s:listType=atomic
	// +k8s:unique=map
	// +k8s:listMapKey=name
	Shifts []Shift `json:"shifts"`
	// +k8s:optional
	// +k8s:minimum=1
	Weeks *int32 `json:"weeks,omitempty"`
}

// Shift is a part of a day.
type Shift struct {
	// +k8s:required
	// +k8s:maxLength=20
	Name string `json:"name"`
	// +k8s:required
	// +k8s:minimum=1
	// +k8s:maximum=200
	Workers int32 `json:"workers"`
	// +k8s:optional
	// +k8s:subfield(close)=+k8s:maximum=22
	Hours *Hours `json:"hours,omitempty"`
}

// Contact is somebody to call.
type Contact struct {
	// +k8s:required
	// +k8s:maxLength=60
	Name string `json:"name"`
	// +k8s:required
	// +k8s:maxBytes=100
	Mail string `json:"mail"`
	// +k8s:optional
	// +k8s:maxLength=20
	Phone string `json:"phone,omitempty"`
}

// Budget is what there is to spend.
type Budget struct {
	// +k8s:required
	// +k8s:minimum=1
	Amount int64 `json:"amount"`
	// +k8s:required
	// +k8s:minLength=3
	// +k8s:maxLength=3
	Currency string `json:"currency"`
	// +k8s:optional
	// +k8s:maxItems=12
	// +k8s:eachVal=+k8s:minimum=0
	Months []int64 `json:"months,omitempty"`
}

// PlantStatus says how a factory is.
type PlantStatus struct {
	// +k8s:optional
	// +k8s:minimum=0
	Ready int32 `json:"ready,omitempty"`
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=type
	Conditions []Condition `json:"conditions,omitempty"`
}

// Condition is one thing that is so or not.
type Condition struct {
	// +k8s:required
	// +k8s:maxLength=60
	Type string `json:"type"`
	// +k8s:required
	Status string `json:"status"`
	// +k8s:optional
	// +k8s:maxLength=200
	Message string `json:"message,omitempty"`
}
