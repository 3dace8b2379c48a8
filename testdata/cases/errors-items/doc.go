// +k8s:validation-gen=*

// Package items has item tags with wrong selectors.
package items
