// Package v1 holds what decoding needs to know of k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.
package v1

// +enum
type FieldValueErrorReason string

const (
	FieldValueRequired FieldValueErrorReason = "FieldValueRequired"
	FieldValueDuplicate FieldValueErrorReason = "FieldValueDuplicate"
	FieldValueInvalid FieldValueErrorReason = "FieldValueInvalid"
	FieldValueForbidden FieldValueErrorReason = "FieldValueForbidden"
)

type JSONSchemaProps struct {
	ID string `json:"id,omitempty"`
	Schema JSONSchemaURL `json:"$schema,omitempty"`
	Ref *string `json:"$ref,omitempty"`
	Description string `json:"description,omitempty"`
	Type string `json:"type,omitempty"`

	Format string `json:"format,omitempty"`

	Title string `json:"title,omitempty"`
	Default *JSON `json:"default,omitempty"`
	Maximum *float64 `json:"maximum,omitempty"`
	ExclusiveMaximum bool `json:"exclusiveMaximum,omitempty"`
	Minimum *float64 `json:"minimum,omitempty"`
	ExclusiveMinimum bool `json:"exclusiveMinimum,omitempty"`
	MaxLength *int64 `json:"maxLength,omitempty"`
	MinLength *int64 `json:"minLength,omitempty"`
	Pattern string `json:"pattern,omitempty"`
	MaxItems *int64 `json:"maxItems,omitempty"`
	MinItems *int64 `json:"minItems,omitempty"`
	UniqueItems bool `json:"uniqueItems,omitempty"`
	MultipleOf *float64 `json:"multipleOf,omitempty"`
	// +listType=atomic
	Enum []JSON `json:"enum,omitempty"`
	MaxProperties *int64 `json:"maxProperties,omitempty"`
	MinProperties *int64 `json:"minProperties,omitempty"`
	// +listType=atomic
	Required []string `json:"required,omitempty"`
	Items *JSONSchemaPropsOrArray `json:"items,omitempty"`
	// +listType=atomic
	AllOf []JSONSchemaProps `json:"allOf,omitempty"`
	// +listType=atomic
	OneOf []JSONSchemaProps `json:"oneOf,omitempty"`
	// +listType=atomic
	AnyOf []JSONSchemaProps `json:"anyOf,omitempty"`
	Not *JSONSchemaProps `json:"not,omitempty"`
	Properties map[string]JSONSchemaProps `json:"properties,omitempty"`
	AdditionalProperties *JSONSchemaPropsOrBool `json:"additionalProperties,omitempty"`
	PatternProperties map[string]JSONSchemaProps `json:"patternProperties,omitempty"`
	Dependencies JSONSchemaDependencies `json:"dependencies,omitempty"`
	AdditionalItems *JSONSchemaPropsOrBool `json:"additionalItems,omitempty"`
	Definitions JSONSchemaDefinitions `json:"definitions,omitempty"`
	ExternalDocs *ExternalDocumentation `json:"externalDocs,omitempty"`
	Example *JSON `json:"example,omitempty"`
	Nullable bool `json:"nullable,omitempty"`

	XPreserveUnknownFields *bool `json:"x-kubernetes-preserve-unknown-fields,omitempty"`

	XEmbeddedResource bool `json:"x-kubernetes-embedded-resource,omitempty"`

	XIntOrString bool `json:"x-kubernetes-int-or-string,omitempty"`

	// +optional
	// +listType=atomic
	XListMapKeys []string `json:"x-kubernetes-list-map-keys,omitempty"`

	// +optional
	XListType *string `json:"x-kubernetes-list-type,omitempty"`

	// +optional
	XMapType *string `json:"x-kubernetes-map-type,omitempty"`

	// +patchMergeKey=rule
	// +patchStrategy=merge
	// +listType=map
	// +listMapKey=rule
	XValidations ValidationRules `json:"x-kubernetes-validations,omitempty" patchStrategy:"merge" patchMergeKey:"rule"`
}

type ValidationRules []ValidationRule

type ValidationRule struct {
	Rule string `json:"rule"`
	Message string `json:"message,omitempty"`
	// +optional
	MessageExpression string `json:"messageExpression,omitempty"`
	// +optional
	Reason *FieldValueErrorReason `json:"reason,omitempty"`
	// +optional
	FieldPath string `json:"fieldPath,omitempty"`

	// +optional
	OptionalOldSelf *bool `json:"optionalOldSelf,omitempty"`
}

type JSON struct {
	Raw []byte `json:"-"`
}

func (*JSON) UnmarshalJSON([]byte) error

type JSONSchemaURL string

type JSONSchemaPropsOrArray struct {
	Schema *JSONSchemaProps
	// +listType=atomic
	JSONSchemas []JSONSchemaProps
}

func (*JSONSchemaPropsOrArray) UnmarshalJSON([]byte) error

type JSONSchemaPropsOrBool struct {
	Allows bool
	Schema *JSONSchemaProps
}

func (*JSONSchemaPropsOrBool) UnmarshalJSON([]byte) error

type JSONSchemaDependencies map[string]JSONSchemaPropsOrStringArray

type JSONSchemaPropsOrStringArray struct {
	Schema *JSONSchemaProps
	// +listType=atomic
	Property []string
}

func (*JSONSchemaPropsOrStringArray) UnmarshalJSON([]byte) error

type JSONSchemaDefinitions map[string]JSONSchemaProps

type ExternalDocumentation struct {
	Description string `json:"description,omitempty"`
	URL string `json:"url,omitempty"`
}
