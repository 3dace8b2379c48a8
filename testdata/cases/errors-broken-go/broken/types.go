// Package broken has syntax errors. What can be read in spite of them is.
package broken

// Good is read.
type Good struct {
	// +k8s:maxItems=1
	// want-above VG204 `field example.com/cases/errors-broken-go/broken.Good.name: tag "k8s:maxItems": can only be used on list types (string)`
	Name string `json:"name"`
	// +k8s:minimum=1
	Size int32 `json:"size"`
}

// Spoilt has one tag, which is wrong.
type Spoilt struct {
	// +k8s:maxItems=1
	// want-above VG204 `can only be used on list types (string)`
	Name string `json:"name"`
}

// Bad is not finished.
type Bad struct {
	Name string `json:"name"`
	Size int32 int32 `json:"size"` // want VG101 `syntax error`
}
