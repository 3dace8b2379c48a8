package modediscriminator

// Door has a boolean that is a mode by itself.
type Door struct {
	// +k8s:modeDiscriminator
	Open bool `json:"open,omitempty"`

	// +k8s:ifMode("true")=+k8s:required
	Guard string `json:"guard,omitempty"`

	// +k8s:ifMode("false")=+k8s:required
	// +k8s:ifMode("true")=+k8s:optional
	Lock *Lock `json:"lock,omitempty"`
}

// Lock has a rule of its own.
type Lock struct {
	// +k8s:minimum=1
	Bolts int32 `json:"bolts,omitempty"`
}

// Gate has groups. They are looked at by their names, of which the nameless one has "default"; and the members of a
// group by their Go names.
type Gate struct {
	// Discriminators have rules as other fields do.
	// +k8s:modeDiscriminator(modality: "zone")
	// +k8s:maxLength=5
	Zone string `json:"zone,omitempty"`

	// +k8s:modeDiscriminator
	Kind Kind `json:"kind,omitempty"`

	// +k8s:modeDiscriminator(modality: Big)
	Big Flag `json:"big,omitempty"`

	// Nothing depends on it.
	// +k8s:modeDiscriminator(modality: "idle_2")
	Idle string `json:"idle,omitempty"`

	// +k8s:ifMode(mode: "inner", modality: "zone")=+k8s:required
	Zulu string `json:"zulu,omitempty"`

	// A member of all groups.
	// +k8s:ifMode(modality: "zone", mode: "inner")=+k8s:maxLength=3
	// +k8s:ifMode("big")=+k8s:maxLength=2
	// +k8s:ifMode(mode: "true", modality: Big)=+k8s:maxLength=1
	Alpha string `json:"alpha,omitempty"`

	// +k8s:ifMode("big")=+k8s:required
	Bravo int32 `json:"a-bravo,omitempty"`

	// A discriminator may depend on another one.
	// +k8s:ifMode("big")=+k8s:optional
	// +k8s:modeDiscriminator(modality: "late")
	Charlie string `json:"charlie,omitempty"`

	// +k8s:ifMode(mode: "x", modality: "late")=+k8s:required
	Delta string `json:"delta,omitempty"`
}

// Kind is a string without known values.
type Kind string

// Flag is a boolean of its own type.
type Flag bool
