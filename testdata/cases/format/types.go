package format

// Names has a pointer for every format, so that what is absent passes.
type Names struct {
	// +k8s:format=k8s-extended-resource-name
	ExtendedResourceName *string `json:"extendedResourceName,omitempty"`

	// +k8s:format=k8s-ip
	IP *string `json:"ip,omitempty"`

	// +k8s:format=k8s-label-key
	LabelKey *string `json:"labelKey,omitempty"`

	// +k8s:format=k8s-label-value
	LabelValue *string `json:"labelValue,omitempty"`

	// +k8s:format=k8s-long-name
	LongName *string `json:"longName,omitempty"`

	// +k8s:format=k8s-long-name-caseless
	LongNameCaseless *string `json:"longNameCaseless,omitempty"`

	// +k8s:format=k8s-path-segment-name
	PathSegmentName *string `json:"pathSegmentName,omitempty"`

	// +k8s:format=k8s-prefixed-label-key
	PrefixedLabelKey *string `json:"prefixedLabelKey,omitempty"`

	// +k8s:format=k8s-resource-fully-qualified-name
	ResourceFullyQualifiedName *string `json:"resourceFullyQualifiedName,omitempty"`

	// +k8s:format=k8s-resource-pool-name
	ResourcePoolName *string `json:"resourcePoolName,omitempty"`

	// +k8s:format=k8s-short-name
	ShortName *string `json:"shortName,omitempty"`

	// +k8s:format=k8s-uuid
	UUID *string `json:"uuid,omitempty"`
}

// Plain has strings by value: an absent one is the empty string.
type Plain struct {
	// +k8s:format=k8s-short-name
	Name string `json:"name"`

	// +k8s:optional
	// +k8s:format=k8s-short-name
	Alias string `json:"alias,omitempty"`

	// +k8s:format=k8s-label-value
	Value string `json:"value"`

	ID ID `json:"id,omitempty"`

	// +k8s:optional
	Host Host `json:"host,omitempty"`

	// Two formats are two rules, in the order of the source.
	// +k8s:format=k8s-long-name
	// +k8s:format=k8s-label-value
	Both *string `json:"both,omitempty"`
}

// ID has the format as a rule of its type.
// +k8s:format=k8s-uuid
type ID string

// Host is shown as JSON, with HTML characters escaped, as are most formats of a type of its own. An ID is not.
// +k8s:format=k8s-long-name
type Host string
