package robots

// +k8s:enum # // want VG406 "there is no constant of type Bad, so every value is refused"
type Bad string

// A constant without a type, and one of another type, are no values.
const (
	BadRed        = "red"
	BadBlue Other = "blue"
)

type Other string

// +k8s:enum # // want VG406 "all constants of the enum are excluded"
type BadExcluded string

// +k8s:enumExclude
const BadGreen BadExcluded = "green"

// +k8s:enum
type Good string

const GoodRed Good = "red"

// +k8s:enum
type GoodSwitched string

// +k8s:ifDisabled(Paint)=+k8s:enumExclude
const GoodGreen GoodSwitched = "green"
