// Package validation holds the lengths of names that constants of APIs refer to.
package validation

const (
	LabelValueMaxLength       int = 63
	DNS1123LabelMaxLength     int = 63
	DNS1123SubdomainMaxLength int = 253
	DNS1035LabelMaxLength     int = 63
)
